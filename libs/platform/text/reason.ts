/**
 * The message of an error. Node's error for a host with several addresses has no message, but an error for each
 * address.
 */
export function reasonOf(error: Error): string {
  const { errors } = error as { errors?: unknown };
  const text = error.message === '' && Array.isArray(errors) ? (errors as Error[]).map(reasonOf).join('; ') : '';
  return text || error.message || error.name;
}
