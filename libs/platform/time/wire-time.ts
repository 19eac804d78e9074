/**
 * Formats a datetime for a response, in UTC and whole seconds (WIRE-6): `2026-11-20T18:00:00Z`. Returns null for null.
 */
export function toWire(instant: Date): string;
export function toWire(instant: Date | null): string | null;
export function toWire(instant: Date | null): string | null {
  return instant === null ? null : `${instant.toISOString().slice(0, WHOLE_SECONDS)}Z`;
}

const WHOLE_SECONDS = '2026-11-20T18:00:00'.length;
