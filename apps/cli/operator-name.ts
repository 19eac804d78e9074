import { userInfo } from 'node:os';
import { OperatorError } from '#platform/config/operator-error';

const LONGEST = 100;

/** The operator's name in the audit log: the value of `--as`, or else the name of the operating system's user. */
export function operatorName(given: string | undefined): string {
  if (given === undefined) return systemUser();
  const name = given.trim();
  if (name === '' || name.length > LONGEST || /\p{C}/u.test(name))
    throw new OperatorError(`--as must be a name of 1 to ${LONGEST} characters.`);
  return name;
}

/** In a container the user may have only a number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
