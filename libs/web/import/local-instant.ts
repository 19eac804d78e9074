import { fromZonedTime } from 'date-fns-tz';

/** `2031-06-01T19:00` in a zone of the IANA database; null for a time that does not exist or an unknown zone. */
export function instantIn(zone: string, local: string): Date | null {
  const instant = fromZonedTime(local, zone);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

export function isKnownZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
