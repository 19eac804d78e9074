import { LIMITS } from '#contract/limits';
import { GENDERS, LOCALES, TOKEN_ACCESSES, type Gender, type Locale, type TokenAccess } from '#contract/vocabulary';
import { BooleanField, DayField, EnumField, TextField } from '#platform/http/fields';

/** The bounds are those of an operator's UserDto. */
export class RegisterDto {
  @TextField({ min: 1, max: 100, required: true })
  name: string;

  @TextField({ max: 254, required: true })
  email: string;

  @TextField({ min: 8, max: 200, required: true })
  password: string;
}

export class ProfileDto {
  @TextField({ min: 1, max: 100, required: true })
  name: string;

  @TextField({ max: 50 })
  nickname?: string | null;

  @TextField({ max: 60, required: true })
  slug: string;

  @EnumField(LOCALES, { required: true })
  locale: Locale;

  @TextField({ max: 60, required: true })
  timezone: string;

  @DayField({ nullable: true })
  birth_date?: string | null;

  @EnumField(GENDERS, { nullable: true })
  gender?: Gender | null;

  @TextField({ max: 42 })
  iban?: string | null;

  @BooleanField({ required: true })
  searchable: boolean;
}

export class TokenFormDto {
  @TextField({ ...LIMITS.tokens.name, required: true })
  name: string;

  @EnumField(TOKEN_ACCESSES.filter((access) => access !== 'legacy'), { required: true })
  access: Exclude<TokenAccess, 'legacy'>;

  /** The last Prague day of the token. */
  @DayField({ nullable: true })
  expires_on?: string | null;
}
