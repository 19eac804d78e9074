import { inOneLine } from '../text/characters';
import { parseUrl } from '../text/url';

/** Decodes a part of a URL. Returns null if the part contains a `%` without a valid code. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads typed values from the environment. All errors are collected, so that the operator sees them together. */
export class EnvironmentReader {
  readonly errors: string[] = [];

  constructor(private readonly environment: Environment) {}

  /** Adds an error as one line: line breaks, which an invalid value may contain, become spaces. */
  addError(line: string): void {
    this.errors.push(inOneLine(line));
  }

  /** Returns null if the variable is absent or empty. */
  text(name: string): string | null {
    return this.environment[name]?.trim() || null;
  }

  /**
   * Reads a whole number from `min` to `max`. `alternative`: words in the error message for another valid value, such
   * as `or auto`.
   */
  integer(name: string, defaultValue: number, min: number, max: number, alternative = ''): number {
    const text = this.text(name);
    if (text === null) return defaultValue;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.addError(
      `${name} must be a whole number from ${min} to ${max}${alternative && ` ${alternative}`}, not "${text}".`,
    );
    return defaultValue;
  }

  toggle(name: string, defaultValue: boolean): boolean {
    return this.choice(name, ['on', 'off'], defaultValue ? 'on' : 'off') === 'on';
  }

  choice<Value extends string>(name: string, values: readonly Value[], defaultValue: Value): Value {
    const text = this.text(name);
    if (text === null) return defaultValue;
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) this.addError(`${name} must be one of ${values.join(', ')}, not "${text}".`);
    return value ?? defaultValue;
  }

  /**
   * Like `text`, but changes the scheme of a URL to lower case. Schemes are case-insensitive, but some programs and
   * libraries accept them only in lower case: ioredis would connect to `Rediss://…` without TLS.
   */
  urlText(name: string): string | null {
    return this.text(name)?.replace(/^[a-z-]+:/i, (scheme) => scheme.toLowerCase()) ?? null;
  }

  /** Reads a URL with one of these protocols. Errors do not contain the value, because a URL may contain a password. */
  url(name: string, protocols: readonly string[]): string | null {
    const text = this.urlText(name);
    if (text === null) return null;
    // `new URL` also accepts addresses without slashes: `https:example.org`, and `smtp:mail.example.org`, which is
    // parsed without a host.
    if (!protocols.some((protocol) => text.startsWith(`${protocol}//`)))
      this.addError(
        `${name} must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
      );
    else if (parseUrl(text) === null) this.addError(`${name} must be a valid URL: check its host and its port.`);
    else if (percentDecoded(text) === null)
      this.addError(`${name} must be a URL with % only before two hexadecimal digits: in a password, write %25 for %.`);
    else return text;
    return null;
  }
}
