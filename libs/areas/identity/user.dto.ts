import { GENDERS, LOCALES, type Gender, type Locale } from '#contract/vocabulary';
import { BooleanField, DateTimeField, DayField, EnumField, TextField } from '#platform/http/fields';

/** Everything an operator may say of an account (decisions, "Accounts and tokens"). What is absent stays as it is. */
export class UserDto {
  @TextField({ min: 1, max: 100, nullable: false })
  name?: string;

  @TextField({ max: 50 })
  nickname?: string | null;

  @TextField({ max: 254 })
  email?: string | null;

  @TextField({ min: 8, max: 200 })
  password?: string | null;

  @EnumField(LOCALES, { nullable: false })
  locale?: Locale;

  @TextField({ max: 60, nullable: false })
  timezone?: string;

  @DayField({ nullable: true })
  birth_date?: string | null;

  @EnumField(GENDERS, { nullable: true })
  gender?: Gender | null;

  @TextField({ max: 42 })
  iban?: string | null;

  @DateTimeField({ nullable: true })
  premium_until?: Date | null;

  @BooleanField({ nullable: false })
  verified?: boolean;

  @BooleanField({ nullable: false })
  admin?: boolean;

  @BooleanField({ nullable: false })
  moderator?: boolean;

  @BooleanField({ nullable: false })
  banned?: boolean;

  @BooleanField({ nullable: false })
  searchable?: boolean;
}
