/**
 * Formats a datetime for a response, in UTC and whole seconds (WIRE-6): `2026-11-20T18:00:00Z`. Returns null for null.
 */
export function toWire(instant: Date): string;
export function toWire(instant: Date | null): string | null;
export function toWire(instant: Date | null): string | null {
  return instant === null ? null : `${instant.toISOString().slice(0, WHOLE_SECONDS)}Z`;
}

/**
 * Like `toWire`, for an instant that a query has selected as `column::text`. Database sessions use UTC and the ISO
 * format (data-source.ts). Frequently read lists avoid the conversion to a Date and back, which takes as long as
 * creating the rest of their JSON.
 */
export function textToWire(instant: string): string {
  return `${instant.slice(0, WHOLE_DAY)}T${instant.slice(WHOLE_DAY + 1, WHOLE_SECONDS)}Z`;
}

const WHOLE_DAY = '2026-11-20'.length;
const WHOLE_SECONDS = '2026-11-20T18:00:00'.length;
