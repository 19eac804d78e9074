import { Refusal } from '#platform/http/refusal';

/**
 * 422 unless both coordinates were sent, both as null, or neither (api-spec, "Group"; decisions, section 6). It is
 * reported on the one that lacks more.
 */
export function refuseHalfAPlace<Field extends string>(sent: { readonly [field in Field]?: number | null }, one: Field, other: Field): void {
  const [given, expected] = [said(sent[one]), said(sent[other])];
  if (given > expected) throw Refusal.invalid(other, 'both_or_none', { field: one });
  if (given < expected) throw Refusal.invalid(one, 'both_or_none', { field: other });
}

/** How much was said of a coordinate: nothing, that there is none, its value. */
function said(coordinate: number | null | undefined): number {
  if (coordinate === undefined) return 0;
  return coordinate === null ? 1 : 2;
}
