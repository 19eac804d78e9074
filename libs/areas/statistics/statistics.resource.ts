import { ApiProperty } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { PARTICIPATION_STATES, type ParticipationState } from '#contract/vocabulary';
import { addDays } from '#platform/time/prague';
import { toWire } from '#platform/time/wire-time';
import type { Counted, DayRow, EventNumbers } from './statistics.query';

const CountProperty = (): PropertyDecorator => ApiProperty({ type: 'integer', minimum: 0 });

/** How many people have each status now. */
export class StatusCountsResource implements Record<ParticipationState, number> {
  /** people with a seat */
  @CountProperty()
  confirmed: number;

  /** people with an invitation */
  @CountProperty()
  pending: number;

  /** people on the waitlist, with an offered seat or without */
  @CountProperty()
  waitlisted: number;

  /** people who asked to join */
  @CountProperty()
  requested: number;

  /** people whose request was declined */
  @CountProperty()
  declined: number;

  /** people banned from the event */
  @CountProperty()
  banned: number;
}

/** The numbers of one day in Prague. */
export class EventDayResource {
  /** YYYY-MM-DD */
  @ApiProperty({ format: 'date' })
  day: string;

  /** how often a person became confirmed */
  @CountProperty()
  joined: number;

  /** how often a person ceased to be confirmed */
  @CountProperty()
  left: number;

  /** how many people were confirmed at the end of the day */
  @CountProperty()
  confirmed: number;
}

/** The check-ins within a quarter of an hour. */
export class CheckInCountResource {
  /** the start of the quarter of an hour */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** how many people were checked in */
  @CountProperty()
  count: number;
}

/** How often a person joined the waitlist, got a seat from it, or left it. */
export class WaitlistCountsResource {
  /** how often a person joined the waitlist */
  @CountProperty()
  joined: number;

  /** how often a person got a seat from the waitlist */
  @CountProperty()
  promoted: number;

  /** how often a person left the waitlist without a seat */
  @CountProperty()
  left: number;
}

/** How many seats were offered to waiting people, and how the offers ended. */
export class OfferCountsResource {
  /** how many seats were offered */
  @CountProperty()
  made: number;

  /** how many offers were accepted */
  @CountProperty()
  accepted: number;

  /** how many offers were declined */
  @CountProperty()
  declined: number;

  /** how many offers ended without an answer */
  @CountProperty()
  lapsed: number;
}

/** Numbers of an event, without data about single people (STAT-1). */
export class EventStatisticsResource {
  /** how many people have each status now */
  participants: StatusCountsResource;
  /**
   * the days in Prague from the first to the last day on which somebody became or ceased to be confirmed, at most 400;
   * counted since version 0.3.0
   */
  days: EventDayResource[];
  /** quarters of an hour in which people were checked in */
  check_ins: CheckInCountResource[];
  /** how many people are checked in now */
  @CountProperty()
  checked_in: number;
  /** totals of all days, counted since version 0.3.0 */
  waitlist: WaitlistCountsResource;
  /** totals of all days, counted since version 0.3.0 */
  offers: OfferCountsResource;
}

export function eventStatisticsResource({ days, statuses, checkIns }: EventNumbers): EventStatisticsResource {
  const people = (status: ParticipationState): number => statuses.find((row) => row.status === status)?.total ?? 0;
  const total = (what: Counted): number =>
    days.filter((row) => row.what === what).reduce((sum, row) => sum + row.total, 0);
  return {
    participants: Object.fromEntries(
      PARTICIPATION_STATES.map((status) => [status, people(status)]),
    ) as unknown as StatusCountsResource,
    days: daysOf(days, people('confirmed')),
    check_ins: checkIns.map(({ at, count }) => ({ at: toWire(new Date(at * 1000)), count })),
    checked_in: statuses.reduce((sum, row) => sum + row.checked_in, 0),
    waitlist: {
      joined: total('waitlist_joined'),
      promoted: total('waitlist_promoted'),
      left: total('waitlist_left'),
    },
    offers: {
      made: total('offers_made'),
      accepted: total('offers_accepted'),
      declined: total('offers_declined'),
      lapsed: total('offers_lapsed'),
    },
  };
}

/**
 * The days from the first to the last day on which somebody became or ceased to be confirmed, without gaps; at most the
 * last 400 of these days. The number of confirmed people at the end of each day is computed backwards from the current
 * number.
 */
export function daysOf(rows: readonly DayRow[], confirmed: number): EventDayResource[] {
  const changes = rows.filter(({ what }) => what === 'joined' || what === 'left');
  const [first, last] = [changes[0]?.day, changes.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const totals = new Map(changes.map(({ day, what, total }) => [`${day} ${what}`, total]));
  const days: EventDayResource[] = [];
  let confirmedAtEnd = confirmed;
  for (let day = last; day >= first && days.length < LIMITS.statistics.days.max; day = addDays(day, -1)) {
    const counts = { day, joined: totals.get(`${day} joined`) ?? 0, left: totals.get(`${day} left`) ?? 0 };
    days.push({ ...counts, confirmed: confirmedAtEnd });
    confirmedAtEnd += counts.left - counts.joined;
  }
  return days.reverse();
}
