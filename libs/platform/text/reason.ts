/**
 * Returns the message of an error. If Node cannot connect to any of several addresses of a host, the message is empty,
 * and `errors` has one error for each address. Then this function returns the joined messages of these errors. For any
 * other error without a message, it returns the code or the name of the error.
 */
export function reasonOf(error: unknown): string {
  const { message = '', name, errors } = (error ?? {}) as Partial<AggregateError>;
  const text = message === '' && Array.isArray(errors) ? errors.map(reasonOf).join('; ') : message;
  return text || codeOf(error) || name || String(error);
}

/** Returns the code of an error, such as `40001` or `ECONNREFUSED`; an empty text if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
