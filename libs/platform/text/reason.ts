/**
 * Returns the message of an error, or its name if the message is empty. If a host has several addresses and Node cannot
 * connect to any of them, the message is empty, and `errors` has one error for each address.
 */
export function reasonOf(error: Error): string {
  const { errors } = error as { errors?: unknown };
  const text = error.message === '' && Array.isArray(errors) ? (errors as Error[]).map(reasonOf).join('; ') : '';
  return text || error.message || error.name;
}
