/**
 * Returns the message of an error. If Node cannot connect to any of several addresses of a host, the message is empty,
 * and `errors` has one error for each address. Then this function returns the joined messages of these errors. For any
 * other error without a message, it returns the name of the error.
 */
export function reasonOf(error: Error): string {
  const { errors } = error as { errors?: unknown };
  const text = error.message === '' && Array.isArray(errors) ? (errors as Error[]).map(reasonOf).join('; ') : '';
  return text || error.message || error.name;
}

/** Returns the message of an error, or its code if the message is empty. */
export function messageOrCode(error: unknown): string {
  return (error as Error).message || codeOf(error) || String(error);
}

/** Returns the code of an error, such as `40001` or `ECONNREFUSED`; an empty text if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
