import { LIMITS } from '#contract/limits';
import { GENDERS, LOCALES, type Gender, type Locale, type ReminderHours } from '#contract/vocabulary';
import {
  BooleanField,
  DateTimeField,
  DayField,
  EnumField,
  IntegerField,
  TextField,
  TitleField,
} from '#platform/http/fields';

const { accounts } = LIMITS;

/**
 * The fields of an account that an operator may write (OPS-16), except avatar, blocks, tokens and credits. An absent
 * field is not changed.
 */
export class UserDto {
  @TitleField({ ...accounts.name, nullable: false })
  name?: string;

  @TextField(accounts.nickname)
  nickname?: string | null;

  @TextField(accounts.email)
  email?: string | null;

  @TextField(accounts.password)
  password?: string | null;

  @EnumField(LOCALES, { nullable: false })
  locale?: Locale;

  @TextField({ ...accounts.timezone, nullable: false })
  timezone?: string;

  @DayField({ nullable: true })
  birth_date?: string | null;

  @EnumField(GENDERS, { nullable: true })
  gender?: Gender | null;

  @TextField(accounts.iban)
  iban?: string | null;

  @DateTimeField({ nullable: true })
  premium_until?: Date | null;

  @IntegerField({ min: 0, max: 48, nullable: false })
  reminder_hours?: ReminderHours;

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

  @BooleanField({ nullable: false })
  show_participation?: boolean;
}
