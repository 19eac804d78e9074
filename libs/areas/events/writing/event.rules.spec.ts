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
  leavesWaitlist: false,
};
const SEEKING = { seekingCompany: true, maxParticipants: 4 };

function wrong(changes: Partial<EventState>): string[] {
  try {
    eventViolations({ ...STATE, ...changes }).throwIfAny();
    return [];
  } catch (error) {
    return Object.keys((error as Refusal).details.errors ?? {});
  }
}

describe('an event as it would be', () => {
  // EVT-4, EVT-6, EVT-7, EVT-9, EVT-11, EVT-12
  it.each<[string, Partial<EventState>, string[]]>([
    ['nothing else', {}, []],
    ['an end a moment later', { endsAt: new Date(START.getTime() + 1000) }, []],
    ['an end at the start', { endsAt: START }, ['ends_at']],
    ['one age for all', { ageMin: 18, ageMax: 18 }, []],
    ['ages the wrong way round', { ageMin: 19, ageMax: 18 }, ['age_max']],
    ['a place', { latitude: 50, longitude: 14 }, []],
    ['half a place', { latitude: 50 }, ['longitude']],
    ['the other half', { longitude: 14 }, ['latitude']],
    ['a password that is missing', { joinMode: 'password' }, ['join_password']],
    ['requests', { joinMode: 'request' }, []],
    ['requests for credits', { joinMode: 'request', ticketPriceCredits: 1 }, ['join_mode']],
    ['requests where somebody waits', { joinMode: 'request', leavesWaitlist: true }, ['join_mode']],
    ['as many as there are', { maxParticipants: 4, confirmedCount: 3 }, []],
    ['fewer than there are', { maxParticipants: 4, confirmedCount: 4 }, ['max_participants']],
    [
      'fewer than there are with an offer',
      { maxParticipants: 4, confirmedCount: 2, offersCount: 2 },
      ['max_participants'],
    ],
    ['as many as there are with an offer', { maxParticipants: 5, confirmedCount: 2, offersCount: 2 }, []],
    ['company', SEEKING, []],
    ['company for ten', { ...SEEKING, maxParticipants: 10 }, []],
    ['company for eleven', { ...SEEKING, maxParticipants: 11 }, ['seeking_company']],
    ['company for anybody', { ...SEEKING, maxParticipants: null }, ['seeking_company']],
    ['company in private', { ...SEEKING, isPublic: false }, ['seeking_company']],
    ['company for an imported event', { ...SEEKING, sourceName: 'Kudy z nudy' }, ['seeking_company']],
    ['company for credits', { ...SEEKING, ticketPriceCredits: 1 }, ['seeking_company']],
    ['company with tickets', { ...SEEKING, joinMode: 'tickets' }, ['seeking_company']],
  ])('%s', (_what, changes, fields) => expect(wrong(changes)).toEqual(fields));
});
