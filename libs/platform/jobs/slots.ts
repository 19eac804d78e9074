import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';
import { subDays } from 'date-fns';
import type { Every } from './job';

const MINUTE = 60_000;

/** Prague's offsets are whole hours, so these begin at the same moments there as in UTC. */
const LENGTHS: Readonly<Record<Exclude<Every, 'day'>, number>> = {
  minute: MINUTE,
  '10 minutes': 10 * MINUTE,
  hour: 60 * MINUTE,
};

const PRAGUE = 'Europe/Prague';

/** Past the hour that the clock change skips or repeats. */
const NIGHT = '03:20:00';

/**
 * The slot that is due at `now`: the latest beginning of a minute, ten minutes, an hour, or a night. All replicas find
 * the same one, and after a downtime it is the only one to catch up with.
 */
export function dueSlot(every: Every, now: Date): Date {
  if (every !== 'day') return new Date(now.getTime() - (now.getTime() % LENGTHS[every]));
  const tonight = night(now);
  return tonight <= now ? tonight : night(subDays(tonight, 1));
}

function night(of: Date): Date {
  return fromZonedTime(`${formatInTimeZone(of, PRAGUE, 'yyyy-MM-dd')}T${NIGHT}`, PRAGUE);
}
