import { Refusal } from '#platform/http/refusal';
import { eventViolations, type EventState } from './event.rules';

const START = new Date('2031-05-01T10:00:00Z');
const STATE: EventState = {
  startsAt: START,
  endsAt: null,
  latitude: null,
  longitude: null,
  ageMin: null,
  ageMax: null,
  isPublic: true,
  joinMode: 'open',
  maxParticipants: null,
  seekingCompany: false,
  ticketPriceCredits: 0,
  sourceName: null,
  confirmedCount: 0,
  offersCount: 0,
  joinPasswordSealed: null,
  conflictsWithWaitlist: false,
  hasNewTimes: true,
  earliestStart: null,
};
const SEEKING = { seekingCompany: true, maxParticipants: 4 };

function violatedFields(changes: Partial<EventState>): string[] {
  try {
    eventViolations({ ...STATE, ...changes }).throwIfAny();
    return [];
  } catch (error) {
    return Object.keys((error as Refusal).details.errors ?? {});
  }
}

describe('eventViolations', () => {
  // EVT-4, EVT-6, EVT-7, EVT-9, EVT-11, EVT-12
  it.each<[string, Partial<EventState>, string[]]>([
    ['only the required fields', {}, []],
    ['an end one second after the start', { endsAt: new Date(START.getTime() + 1000) }, []],
    ['an end at the start', { endsAt: START }, ['ends_at']],
    ['equal minimum and maximum ages', { ageMin: 18, ageMax: 18 }, []],
    ['a minimum age above the maximum age', { ageMin: 19, ageMax: 18 }, ['age_max']],
    ['both coordinates', { latitude: 50, longitude: 14 }, []],
    ['a latitude without a longitude', { latitude: 50 }, ['longitude']],
    ['a longitude without a latitude', { longitude: 14 }, ['latitude']],
    ['the join mode `password` without a password', { joinMode: 'password' }, ['join_password']],
    ['the join mode `request`', { joinMode: 'request' }, []],
    ['the join mode `request` and a price in credits', { joinMode: 'request', ticketPriceCredits: 1 }, ['join_mode']],
    [
      'the join mode `request` and entries in the waitlist',
      { joinMode: 'request', conflictsWithWaitlist: true },
      ['join_mode'],
    ],
    // The organizer takes a seat too, but `confirmedCount` does not count the organizer.
    ['as many seats as participants', { maxParticipants: 4, confirmedCount: 3 }, []],
    ['fewer seats than participants', { maxParticipants: 4, confirmedCount: 4 }, ['max_participants']],
    [
      'fewer seats than participants and offers',
      { maxParticipants: 4, confirmedCount: 2, offersCount: 2 },
      ['max_participants'],
    ],
    ['as many seats as participants and offers', { maxParticipants: 5, confirmedCount: 2, offersCount: 2 }, []],
    ['a search for company', SEEKING, []],
    ['a search for company and the join mode `request`', { ...SEEKING, joinMode: 'request' }, []],
    [
      'a search for company and the join mode `password`',
      { ...SEEKING, joinMode: 'password', joinPasswordSealed: 'sealed' },
      ['seeking_company'],
    ],
    ['a search for company and ten seats', { ...SEEKING, maxParticipants: 10 }, []],
    ['a search for company and eleven seats', { ...SEEKING, maxParticipants: 11 }, ['seeking_company']],
    ['a search for company and no limit of seats', { ...SEEKING, maxParticipants: null }, ['seeking_company']],
    ['a search for company and `isPublic: false`', { ...SEEKING, isPublic: false }, ['seeking_company']],
    ['a search for company and an import source', { ...SEEKING, sourceName: 'Kudy z nudy' }, ['seeking_company']],
    ['a search for company and a price in credits', { ...SEEKING, ticketPriceCredits: 1 }, ['seeking_company']],
    ['a search for company and the join mode `tickets`', { ...SEEKING, joinMode: 'tickets' }, ['seeking_company']],
  ])('returns the violated fields of an event with %s', (_what, changes, fields) =>
    expect(violatedFields(changes)).toEqual(fields),
  );

  // EVT-6, EVT-15
  it('returns the number of occupied seats with the error on max_participants; the error mentions offers only if the event has offers', () => {
    const refusalOf = (changes: Partial<EventState>): unknown => {
      try {
        eventViolations({ ...STATE, maxParticipants: 2, ...changes }).throwIfAny();
      } catch (error) {
        return (error as Refusal).details.errors?.['max_participants'];
      }
      return null;
    };
    expect(refusalOf({ confirmedCount: 2 })).toEqual([{ key: 'below_participants', values: { count: 3 } }]);
    expect(refusalOf({ confirmedCount: 1, offersCount: 2 })).toEqual([
      { key: 'below_taken_seats', values: { count: 4 } },
    ]);
  });
});
