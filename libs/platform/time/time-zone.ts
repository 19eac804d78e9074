/** Whether the text is the name of an IANA time zone. Offsets (`+02:00`), which Node 22 and newer accept, are no names. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
