import { OmitType } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { SCOPES, type Scope } from '#contract/scopes';
import { TOKEN_ACCESSES, TOKEN_CHOICES, type TokenAccess, type TokenChoice } from '#contract/vocabulary';
import { DateTimeField, EnumField, EnumListField, TitleField } from '#platform/http/fields';

/** The options of a new token (ACC-6). */
export class TokenDto {
  @TitleField({ ...LIMITS.tokens.name, required: true })
  name: string;

  @EnumField(TOKEN_CHOICES, { nullable: true })
  access?: TokenChoice | null;

  /** The scopes of the token. They are sent instead of `access`. */
  @EnumListField(SCOPES, { min: 1, max: SCOPES.length, unique: true })
  scopes?: Scope[] | null;

  @DateTimeField({ nullable: true })
  expires_at?: Date | null;
}

/** A token in a document of the command `apply`. Such a token may also have the access `legacy`. */
export class AppliedTokenDto extends OmitType(TokenDto, ['access']) {
  @EnumField(TOKEN_ACCESSES, { nullable: true })
  access?: TokenAccess | null;
}
