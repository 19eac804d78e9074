/**
 * Returns the weights of the names in a header such as `Accept` or `Accept-Encoding` (RFC 9110, 12.4.2). For example,
 * the weights in `text/html, image/png;q=0.5` are 1 and 0.5. The names are in lower case. A weight that is not a number
 * counts as 0.
 */
export function weightsOf(header: string): Map<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(',')
      .map((one) => parseWeight(one)),
  );
}

/** Parses `gzip;q=0.5` to gzip and 0.5. */
function parseWeight(one: string): [name: string, weight: number] {
  const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** Whether `Accept` contains the type with a weight above 0. Ranges such as `text/*` have no effect. */
export function acceptsType(accept: string | undefined, type: string): boolean {
  return (weightsOf(accept ?? '').get(type) ?? 0) > 0;
}
