const WEIGHT = /^q\s*=\s*(.*)$/;
/** A weight from 0 to 1 with at most three decimals (RFC 9110, 12.4.2). */
const VALID_WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Returns the names in a header such as `Accept` or `Accept-Language`, with their weights. For example, the weights in
 * `text/html, image/png;q=0.5` are 1 and 0.5. The names are in lower case. An invalid weight counts as 0.
 */
export function weightedNames(header: string): [name: string, weight: number][] {
  return header
    .toLowerCase()
    .split(',')
    .map((one) => parseWeight(one));
}

/** Returns the weights of the names in a header such as `Accept` or `Accept-Encoding` (`weightedNames`). */
export function weightsOf(header: string): Map<string, number> {
  return new Map(weightedNames(header));
}

/** Whether `Accept` contains the type with a weight above 0. Ranges such as `text/*` are ignored. */
export function acceptsType(accept: string | undefined, type: string): boolean {
  return (weightsOf(accept ?? '').get(type) ?? 0) > 0;
}

/** Parses `gzip;q=0.5` to gzip and 0.5. */
function parseWeight(one: string): [name: string, weight: number] {
  const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
  const weight = parameters.map((parameter) => WEIGHT.exec(parameter)?.[1]).find((value) => value !== undefined);
  if (weight === undefined) return [name, 1];
  return [name, VALID_WEIGHT.test(weight) ? Number(weight) : 0];
}
