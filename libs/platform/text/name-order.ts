const CZECH = new Intl.Collator('cs');

/** Compares two names for a list for people, in the order of the Czech alphabet (WIRE-56). */
export function compareNames(one: string, other: string): number {
  return CZECH.compare(one, other);
}
