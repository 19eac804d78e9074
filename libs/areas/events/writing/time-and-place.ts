import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../event.entity';
import type { TimeAndPlace } from '../event.signal';

/** Returns a copy, because the event may be changed afterwards. */
export function timeAndPlaceOf(event: Event): TimeAndPlace {
  const { startsAt, endsAt, locationName, locationAddress, latitude, longitude } = event;
  return { startsAt, endsAt, locationName, locationAddress, latitude, longitude };
}

export function hasMoved(event: Event, before: TimeAndPlace): boolean {
  return !isDeepStrictEqual(timeAndPlaceOf(event), before);
}
