import { userInfo } from 'node:os';
import { OperatorError } from '#platform/config/operator-error';
import { isDeceptive, isVisible } from '#platform/text/characters';

const MAX_LENGTH = 100;

/** The operator's name in the audit log: the value of `--as`, or else the name of the operating system's user. */
export function operatorName(typedName: string | undefined): string {
  if (typedName === undefined) return systemUser();
  const name = typedName.trim();
  if (!isVisible(name) || [...name].length > MAX_LENGTH || isDeceptive(name))
    throw new OperatorError(
      `--as must be a name of 1 to ${MAX_LENGTH} characters, without control and bidi characters.`,
    );
  return name;
}

/** The name of the operating system's user, or the user's number if there is no name, as can happen in a container. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
