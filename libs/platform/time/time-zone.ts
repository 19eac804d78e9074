import { dateFormat } from './date-format';

/** Whether the text names an IANA time zone. Offsets such as `+02:00`, which Node 22 and newer accept, are excluded. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    dateFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
