/** The names, in lower case, of fields whose values are never written to the log. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'password_hash',
  'passwordhash',
  'join_password',
  'joinpassword',
  'token',
  'token_hash',
  'tokenhash',
  'secret',
  'appsecret',
  'ticket_code',
  'ticketcode',
  'check_in_code',
  'checkincode',
  'body',
  'query',
  'parameters',
]);

/** The fields with Fastify's request and response. A serializer of pino (logger.ts) later converts them to log fields. */
const SERIALIZED_FIELDS: ReadonlySet<string> = new Set(['req', 'res']);

const HIDDEN = '[hidden]';

/**
 * The depth to which fields are written; objects and lists at this depth are written as `…`. No log line of the service
 * is deeper. Also the maximum number of causes of an error that are written.
 */
const MAX_DEPTH = 6;

/**
 * Secrets that can be recognized in a text: `Bearer …`, tokens (a prefix of 2 to 8 letters, `_`, and at least 30
 * letters or digits), the user name and password in a URL, and a query string. A password may contain "/" and "@", so
 * after `user:` everything up to the last "@" is hidden.
 */
const SECRETS_IN_TEXT =
  /\bBearer\s+[\w.~+/=-]+|\b[a-z]{2,8}_[0-9A-Za-z]{30,}|(?<=:\/\/)(?:[^\s"/@:]*:[^\s"]*|[^\s"/@]+)@|(?<=\?)[\w.~%+[\]-]+=[^\s"\\]*/gi;

/** Returns a complete log line with `[hidden]` in place of all texts that look like secrets. */
export function redactedLine(line: string): string {
  return line.replace(SECRETS_IN_TEXT, HIDDEN);
}

/**
 * Returns the fields of a log line. Up to MAX_DEPTH, the values of SECRET_FIELDS are replaced by `[hidden]`. Errors are
 * replaced by the result of `describeError`, and deeper objects by `…`. The values of SERIALIZED_FIELDS stay unchanged.
 * pino's own redaction is not used, because it covers only three levels and takes twenty times as long as all other
 * work for a line.
 */
export function redactedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SERIALIZED_FIELDS.has(name) ? value : redactedField(name, value, 1),
    ]),
  );
}

function redactedField(name: string, value: unknown, depth: number): unknown {
  return SECRET_FIELDS.has(name.toLowerCase()) ? HIDDEN : redacted(value, depth);
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  // Dates and other objects that define their form in JSON.
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return redacted(toJSON.call(value), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redactedField(name, inner, depth + 1)]),
  );
}

/**
 * An error in the log. Other fields of an error are not written, because drivers add fields with queries and their
 * values.
 */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  /** The error code of the database (`23505`) or of the system (`ECONNREFUSED`). */
  readonly code?: string;
  /** The name of the violated constraint, without values. */
  readonly constraint?: string;
  /** The frames of the stack, without the message. */
  readonly stack?: string;
  readonly cause?: DescribedError;
}

export function describeError(error: Error, depth = 0): DescribedError {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  return {
    type: error.name,
    message: redactedMessage(error, code),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(stack && { stack }),
    ...(error.cause instanceof Error && depth < MAX_DEPTH && { cause: describeError(error.cause, depth + 1) }),
  };
}

/**
 * Removes quoted input from a message. A message of JSON.parse quotes a part of the body, and a message of PostgreSQL
 * with a code of class 22 quotes a value.
 */
function redactedMessage(error: Error, code: unknown): string {
  if (error instanceof SyntaxError && error.message.includes('JSON')) return 'malformed JSON';
  if (typeof code === 'string' && /^22/.test(code)) return error.message.replace(/".*"/s, `"${HIDDEN}"`);
  return error.message;
}
