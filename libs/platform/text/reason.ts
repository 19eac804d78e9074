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
