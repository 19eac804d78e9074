/** Whether the name is an IANA time zone. Node 22 and newer also accept offsets such as `+02:00` in `Intl`. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
