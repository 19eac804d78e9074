import type { WireFormat } from '#platform/http/wire-format';

/** Where programs fetch the caller's calendar. */
export class CalendarAddressResource {
  /** an iCalendar file; whoever has the address can read it, so it is to be kept secret */
  url: string;
}

export function calendarAddressResource(secret: string, wire: WireFormat): CalendarAddressResource {
  return { url: wire.page(`/calendar/${secret}.ics`) };
}
