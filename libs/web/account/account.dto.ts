import type { OwnPlace } from '#areas/identity/user.entity';
import { LIMITS } from '#contract/limits';
import {
  GENDERS,
  LOCALES,
  TOKEN_CHOICES,
  TOKEN_DAYS,
  type Gender,
  type Locale,
  type TokenChoice,
  type TokenDays,
} from '#contract/vocabulary';
import { BooleanField, DayField, EnumField, TextField, TitleField } from '#platform/http/fields';

const { accounts } = LIMITS;

/** The form on `/register`. */
export class RegisterDto {
  @TitleField({ ...accounts.name, required: true })
  name: string;

  @TextField({ ...accounts.email, required: true })
  email: string;

  @TextField({ ...accounts.password, required: true })
  password: string;

  @DayField({ nullable: true })
  birth_date?: string | null;

  @EnumField(GENDERS, { nullable: true })
  gender?: Gender | null;

  @BooleanField({ nullable: false })
  show_participation?: boolean;

  @TextField({ max: LIMITS.places.text })
  place?: string | null;
}

/** A registration with the place itself instead of its typed name. `place` is null if no place was typed. */
export type Registration = Omit<RegisterDto, 'place'> & { readonly place: OwnPlace | null };

/** The form on `/forgot`. */
export class ForgottenDto {
  @TextField({ ...accounts.email, required: true })
  email: string;
}

/** The form for a new password. The link in the mail opens the page with this form. */
export class NewPasswordDto {
  @TextField({ ...accounts.password, required: true })
  password: string;
}

/** The form that changes the password. */
export class ChangePasswordDto extends NewPasswordDto {
  @TextField({ max: accounts.password.max, required: true })
  current_password: string;
}

/** The form that changes the e-mail address. */
export class ChangeEmailDto extends ForgottenDto {
  @TextField({ max: accounts.password.max, required: true })
  email_password: string;
}

/** The person's current password, in a form that needs it as a confirmation. */
export class OwnPasswordDto {
  @TextField({ max: accounts.password.max, required: true })
  password: string;
}

/** The form for a new passkey. The page sends this form before the browser creates the passkey. */
export class AskPasskeyDto {
  @TitleField({ ...LIMITS.second_step.name, required: true })
  name: string;

  @TextField({ max: accounts.password.max, required: true })
  passkey_password: string;
}

/** The form of the account settings. */
export class ProfileDto {
  @TitleField({ ...accounts.name, required: true })
  name: string;

  @TextField(accounts.nickname)
  nickname?: string | null;

  @TextField({ ...accounts.slug, required: true })
  slug: string;

  @EnumField(LOCALES, { required: true })
  locale: Locale;

  @TextField({ ...accounts.timezone, required: true })
  timezone: string;

  @DayField({ nullable: true })
  birth_date?: string | null;

  @EnumField(GENDERS, { nullable: true })
  gender?: Gender | null;

  @TextField(accounts.iban)
  iban?: string | null;

  @TextField({ max: LIMITS.places.text })
  place?: string | null;

  @BooleanField({ required: true })
  searchable: boolean;

  @BooleanField({ required: true })
  show_participation: boolean;
}

/** The form for a new token on the tab “For developers”. */
export class TokenFormDto {
  @TitleField({ ...LIMITS.tokens.name, required: true })
  name: string;

  /** With `narrow`, the token gets only the scopes whose boxes are ticked. */
  @EnumField([...TOKEN_CHOICES, 'narrow'] as const, { required: true })
  access: TokenChoice | 'narrow';

  /** The number of days until the last day on which the token is valid; ignored if `expires_on` is sent. */
  @EnumField(TOKEN_DAYS, { nullable: true })
  expires_in?: TokenDays | null;

  /** The last day on which the token is valid, in Prague time. */
  @DayField({ nullable: true })
  expires_on?: string | null;
}
