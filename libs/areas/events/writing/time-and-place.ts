import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../event.entity';
import type { TimeAndPlace } from '../event.signal';

/** Returns a copy of the event's time and place, because the event may be changed afterwards. */
export function timeAndPlaceOf(event: Event): TimeAndPlace {
  const { startsAt, endsAt, locationName, locationAddress, latitude, longitude } = event;
  return { startsAt, endsAt, locationName, locationAddress, latitude, longitude };
}

/** Whether the event's time or place differs from `before`. */
export function hasMoved(event: Event, before: TimeAndPlace): boolean {
  return !isDeepStrictEqual(timeAndPlaceOf(event), before);
}
