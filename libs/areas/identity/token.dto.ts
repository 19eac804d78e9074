import { LIMITS } from '#contract/limits';
import { TOKEN_ACCESSES, TOKEN_CHOICES, type TokenAccess, type TokenChoice } from '#contract/vocabulary';
import { DateTimeField, EnumField, TitleField } from '#platform/http/fields';

/** The options of a new token (ACC-6). */
export class TokenDto {
  @TitleField({ ...LIMITS.tokens.name, required: true })
  name: string;

  @EnumField(TOKEN_CHOICES, { required: true })
  access: TokenChoice;

  @DateTimeField({ nullable: true })
  expires_at?: Date | null;
}

/** A token in `apply`'s documents: also `legacy`, for tokens from before access levels. */
export class AppliedTokenDto {
  @TitleField({ ...LIMITS.tokens.name, required: true })
  name: string;

  @EnumField(TOKEN_ACCESSES, { required: true })
  access: TokenAccess;

  @DateTimeField({ nullable: true })
  expires_at?: Date | null;
}
