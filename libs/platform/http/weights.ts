import { weightedNames } from '../text/weights';

/** Returns the weights of the names in a header such as `Accept` or `Accept-Encoding` (`weightedNames`). */
export function weightsOf(header: string): Map<string, number> {
  return new Map(weightedNames(header));
}

/** Whether `Accept` contains the type with a weight above 0. Ranges such as `text/*` have no effect. */
export function acceptsType(accept: string | undefined, type: string): boolean {
  return (weightsOf(accept ?? '').get(type) ?? 0) > 0;
}
