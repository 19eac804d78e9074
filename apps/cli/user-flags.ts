import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { UserDto } from '#areas/identity/user.dto';
import { readInput } from '#platform/http/input';

/** Flags with a value, named after the fields in kebab-case. An empty value clears the field. */
const VALUES = ['name', 'nickname', 'email', 'password', 'locale', 'timezone', 'birth_date', 'gender', 'iban', 'premium_until'] as const;
/** Flags that are on (`--verified`) or off (`--no-verified`). */
const SWITCHES = ['verified', 'admin', 'moderator', 'banned', 'searchable'] as const;
const STDIN = 0;

export function addUserFlags(command: Command): Command {
  for (const field of VALUES) {
    const note = field === 'password' ? '“-” reads it from stdin' : 'empty clears it';
    command.addOption(new Option(`--${kebab(field)} <value>`, note));
  }
  for (const field of SWITCHES) {
    command.option(`--${kebab(field)}`, `sets ${field}`);
    command.option(`--no-${kebab(field)}`, `takes ${field} away`);
  }
  return command;
}

/** The fields the flags name; 422 texts for those that are not valid. */
export function userFieldsFrom(command: Command): UserDto {
  const raw: Record<string, unknown> = {};
  for (const field of [...VALUES, ...SWITCHES]) {
    const option = camel(field);
    // commander presets `--x` of a `--no-x` to true: only what was typed counts.
    if (command.getOptionValueSource(option) === 'cli') raw[field] = command.getOptionValue(option) as unknown;
  }
  if (raw.password === '-') raw.password = readFileSync(STDIN, 'utf8').replace(/\r?\n$/, '');
  return readInput(UserDto, raw, 'json');
}

function kebab(field: string): string {
  return field.replaceAll('_', '-');
}

function camel(field: string): string {
  return field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
