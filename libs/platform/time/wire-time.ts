/** An output datetime, `2026-11-20T18:00:00Z`: UTC, whole seconds (WIRE-6). Null stays null. */
export function toWire(instant: Date): string;
export function toWire(instant: Date | null): string | null;
export function toWire(instant: Date | null): string | null {
  return instant === null ? null : `${instant.toISOString().slice(0, WHOLE_SECONDS)}Z`;
}

/**
 * Like `toWire`, for an instant that a query selected as `column::text`. Sessions are in UTC and write ISO
 * (data-source.ts), so hot lists avoid the conversion to a Date and back, which costs as much as the rest of their
 * JSON.
 */
export function textToWire(instant: string): string {
  return `${instant.slice(0, WHOLE_DAY)}T${instant.slice(WHOLE_DAY + 1, WHOLE_SECONDS)}Z`;
}

const WHOLE_DAY = '2026-11-20'.length;
const WHOLE_SECONDS = '2026-11-20T18:00:00'.length;
