import { LIMITS } from '#contract/limits';
import { TOKEN_ACCESSES, TOKEN_CHOICES, type TokenAccess, type TokenChoice } from '#contract/vocabulary';
import { DateTimeField, EnumField, TitleField } from '#platform/http/fields';

/** What is chosen when a token is made (ACC-6). */
export class TokenDto {
  @TitleField({ ...LIMITS.tokens.name, required: true })
  name: string;

  @EnumField(TOKEN_CHOICES, { required: true })
  access: TokenChoice;

  @DateTimeField({ nullable: true })
  expires_at?: Date | null;
}

/** A token as `apply` names it: `legacy` too, to stand for those from before the option. */
export class AppliedTokenDto {
  @TitleField({ ...LIMITS.tokens.name, required: true })
  name: string;

  @EnumField(TOKEN_ACCESSES, { required: true })
  access: TokenAccess;

  @DateTimeField({ nullable: true })
  expires_at?: Date | null;
}
