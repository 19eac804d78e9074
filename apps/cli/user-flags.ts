import { Option, type Command } from 'commander';
import { CreditsDto } from '#areas/apply/apply.dto';
import type { SentUserFields } from '#areas/apply/apply-users';
import { OperatorError } from '#platform/config/operator-error';
import { readInput } from '#platform/http/input';
import { terminal } from './terminal';
import { utf8Text } from './utf8-text';

/**
 * Fields that are set by a flag with a value. The flag has the name of the field in kebab-case. `NOTES` explains the
 * values of some fields. Each field that is not in `NOTES` is cleared by an empty value.
 */
const VALUES = [
  'name',
  'nickname',
  'email',
  'password',
  'locale',
  'timezone',
  'birth_date',
  'gender',
  'iban',
  'reminder_hours',
  'premium_until',
  'avatar',
  'credits',
  'blocks',
] as const;
const NOTES: Readonly<Record<string, string>> = {
  name: 'required for a new account',
  locale: 'cs or en',
  timezone: 'such as Europe/Prague',
  reminder_hours: '0, 2, 24 or 48; 0: no reminders',
  password: '“-” reads it from stdin; empty removes it',
  avatar: 'path of a picture; empty removes it',
  credits: 'the new balance',
  blocks: 'slugs separated by commas; empty: nobody is blocked',
};
/** Fields that are set by flags without a value: `--verified` sets the field to true, `--no-verified` to false. */
const SWITCHES = ['verified', 'admin', 'moderator', 'banned', 'searchable', 'show_participation'] as const;

export function addUserFlags(command: Command): Command {
  for (const field of VALUES) {
    command.addOption(new Option(`--${kebab(field)} <value>`, NOTES[field] ?? 'empty clears it'));
  }
  for (const field of SWITCHES) {
    command.option(`--${kebab(field)}`, `sets ${field}`);
    command.option(`--no-${kebab(field)}`, `removes ${field}`);
  }
  return command;
}

/** The fields of an account that the flags set, named as in an `apply` document. */
export async function userFieldsFrom(command: Command): Promise<SentUserFields> {
  const raw: Record<string, unknown> = {};
  for (const field of [...VALUES, ...SWITCHES]) {
    const option = camel(field);
    // Only the flags that the operator has typed are used; the other fields are not changed.
    if (command.getOptionValueSource(option) === 'cli') raw[field] = command.getOptionValue(option) as unknown;
  }
  if (raw.password === '-') raw.password = passwordFromStdin();
  const { avatar, credits, blocks, reminder_hours, ...otherFields } = raw as Record<string, string | undefined>;
  return {
    ...otherFields,
    // A text that is not a number is not converted; the validation refuses it.
    ...(reminder_hours !== undefined && {
      reminder_hours: /^\d{1,9}$/.test(reminder_hours) ? Number(reminder_hours) : reminder_hours,
    }),
    ...(avatar !== undefined && { avatar: avatar === '' ? null : avatar }),
    ...(credits !== undefined && (await readInput(CreditsDto, { credits }, 'text'))),
    ...(blocks !== undefined && { blocks: blocks.split(',').filter((slug) => slug.trim() !== '') }),
  };
}

/** Reads the password, which must be one line. An empty line is refused, because it would remove the password. */
function passwordFromStdin(): string {
  const password = utf8Text(terminal().readStdin(), 'The password').replace(/\r?\n$/, '');
  if (password.trim() === '' || /[\r\n]/.test(password))
    throw new OperatorError('stdin must have one line: the password.');
  return password;
}

function kebab(field: string): string {
  return field.replaceAll('_', '-');
}

function camel(field: string): string {
  return field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
