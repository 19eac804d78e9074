import type { WireFormat } from '#platform/http/wire-format';

/** The address at which calendar programs read the caller's calendar. */
export class CalendarAddressResource {
  /** an iCalendar file; anybody who has the address can read the file, so keep it secret */
  url: string;
}

export function calendarAddressResource(secret: string, wire: WireFormat): CalendarAddressResource {
  return { url: wire.page(`/calendar/${secret}.ics`) };
}
