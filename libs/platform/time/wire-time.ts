/** An output datetime, `2026-11-20T18:00:00Z`: UTC, whole seconds (decisions, "output datetimes"). Null stays null. */
export function toWire(instant: Date): string;
export function toWire(instant: Date | null): string | null;
export function toWire(instant: Date | null): string | null {
  return instant === null ? null : `${instant.toISOString().slice(0, WHOLE_SECONDS)}Z`;
}

const WHOLE_SECONDS = '2026-11-20T18:00:00'.length;
