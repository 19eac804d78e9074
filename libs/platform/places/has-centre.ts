/** Whether a query has a centre. Without a centre, its radius is ignored (DISC-13, GRP-9). */
export function hasCentre({ lat, lng }: { readonly lat?: unknown; readonly lng?: unknown }): boolean {
  return lat !== undefined && lng !== undefined;
}
