import fc from 'fast-check';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A notice about changes is written when the event has not changed for this time (NOTE-11). */
const QUIET_MS = 5 * MINUTE_MS;
const REMINDER_LEAD_MS = 24 * HOUR_MS;
const PLACES = ['A', 'B', 'C'];
const HISTORIES = repetitions('notice_histories');

type Step =
  | { readonly action: 'place'; readonly place: string }
  | { readonly action: 'start'; readonly minutes: number }
  | { readonly action: 'join' | 'leave' | 'ban'; readonly who: number }
  | { readonly action: 'wait'; readonly minutes: number };

const WHO = fc.nat(2);
const STEPS = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ action: fc.constant('place' as const), place: fc.constantFrom(...PLACES) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        action: fc.constant('start' as const),
        minutes: fc.constantFrom(3, 300, 25 * 60, 27 * 60, 60 * 60),
      }),
    },
    { weight: 5, arbitrary: fc.record({ action: fc.constantFrom('join' as const, 'leave' as const), who: WHO }) },
    { weight: 1, arbitrary: fc.record({ action: fc.constant('ban' as const), who: WHO }) },
    {
      weight: 5,
      arbitrary: fc.record({ action: fc.constant('wait' as const), minutes: fc.constantFrom(1, 3, 7, 90, 300) }),
    },
  ),
  { minLength: 25, maxLength: 25 },
);

/** The start and place that a person knows. */
interface Known {
  readonly start: number;
  readonly place: string;
}

/**
 * Calculates for one history the reminders that NOTE-14 requires, the current start and place, and the participants who
 * may know outdated values of the start and place (NOTE-11).
 */
class Model {
  readonly known = new Map<number, Known>();
  /** The time at which each participant joined. */
  readonly joined = new Map<number, number>();
  /** The required reminders, each as the text `person start`. */
  readonly reminded = new Set<string>();
  /**
   * People who joined after a change that was reversed before a notice was written. They know the values between the
   * change and its reversal, and get no notice of the reversal.
   */
  readonly unaware = new Set<number>();
  private pendingChange: { readonly before: Known; readonly firstAt: number; readonly lastAt: number } | null = null;

  constructor(
    public current: Known,
    private startSetAt: number,
  ) {}

  change(next: Known, at: number): void {
    const before = this.current;
    if (before.start === next.start && before.place === next.place) return;
    if (before.start !== next.start) this.startSetAt = at;
    this.current = next;
    this.pendingChange = {
      before: this.pendingChange?.before ?? before,
      firstAt: this.pendingChange?.firstAt ?? at,
      lastAt: at,
    };
    if (Math.min(before.start, next.start) - at < QUIET_MS) this.writeNotices();
  }

  join(who: number, at: number): void {
    this.joined.set(who, at);
    this.known.set(who, this.current);
    this.unaware.delete(who);
  }

  leave(who: number): void {
    this.joined.delete(who);
    this.known.delete(who);
  }

  runJobs(at: number): void {
    if (this.pendingChange && this.pendingChange.lastAt <= at - QUIET_MS) this.writeNotices();
    const due = this.current.start - REMINDER_LEAD_MS;
    if (at < due || at >= this.current.start || this.startSetAt > due) return;
    for (const [who, joinedAt] of this.joined) if (joinedAt <= due) this.reminded.add(`${who} ${this.current.start}`);
  }

  private writeNotices(): void {
    const { before, firstAt, lastAt } = this.pendingChange as NonNullable<typeof this.pendingChange>;
    this.pendingChange = null;
    const isAsBefore = before.start === this.current.start && before.place === this.current.place;
    for (const [who, joinedAt] of this.joined) {
      if (joinedAt > lastAt) continue;
      if (isAsBefore && joinedAt > firstAt) this.unaware.add(who);
      if (!isAsBefore) this.unaware.delete(who);
    }
  }
}

describe('notices after random histories of an event', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  async function runHistory(steps: readonly Step[]): Promise<void> {
    server.clock.reset();
    const { jana, ...others } = await server.people('jana', 'petr', 'eva', 'adam');
    const people = Object.values(others);
    const tick = (milliseconds: number) => server.clock.freezeAt(new Date(server.clock.now().getTime() + milliseconds));
    server.clock.freezeAt(new Date(Math.ceil(Date.now() / 1000) * 1000));
    const now = () => server.clock.now().getTime();
    const start = now() + 50 * HOUR_MS;
    const event = await buildEvent(server, jana, { starts_at: new Date(start), location_name: 'A' });
    const model = new Model({ start, place: 'A' }, now());
    for (const step of steps) {
      tick(1000);
      if (model.current.start <= now()) break;
      if (step.action === 'wait') {
        tick(step.minutes * MINUTE_MS);
        await server.job('event-changes');
        await server.job('reminders');
        model.runJobs(now());
      } else await act(step, { jana, people, event, model, at: now() });
    }
    if (model.current.start - now() <= 10 * MINUTE_MS) return checkReminders(model, people, event);
    tick(6 * MINUTE_MS);
    await server.job('event-changes');
    await server.job('reminders');
    model.runJobs(now());
    await checkReminders(model, people, event);
    for (const [who, known] of await knownByPeople(model, people, event))
      if (!model.unaware.has(who)) expect([who, known]).toEqual([who, model.current]);
  }

  interface Scene {
    readonly jana: Person;
    readonly people: readonly Person[];
    readonly event: BuiltEvent;
    readonly model: Model;
    readonly at: number;
  }

  async function act(
    step: Exclude<Step, { action: 'wait' }>,
    { jana, people, event: { id }, model, at }: Scene,
  ): Promise<void> {
    if (step.action === 'place') {
      await jana.api.patch(`/events/${id}`, { location_name: step.place });
      return model.change({ ...model.current, place: step.place }, at);
    }
    if (step.action === 'start') {
      const start = at + step.minutes * MINUTE_MS;
      expect((await jana.api.patch(`/events/${id}`, { starts_at: new Date(start).toISOString() })).status).toBe(200);
      return model.change({ ...model.current, start }, at);
    }
    const person = people[step.who] as Person;
    const requests = {
      join: () => person.api.post(`/events/${id}/join`),
      leave: () => person.api.delete(`/events/${id}/join`),
      ban: () => jana.api.delete(`/events/${id}/participants/${person.slug}?ban=true`),
    };
    const { status } = await requests[step.action]();
    if (status >= 300) return;
    if (step.action === 'join') model.join(step.who, at);
    else model.leave(step.who);
  }

  /** Checks that exactly the required reminders exist, without duplicates. */
  async function checkReminders(model: Model, people: readonly Person[], { eventId }: BuiltEvent): Promise<void> {
    const rows = await server.sql<{ user_id: string; event_starts_at: Date }>(
      `SELECT user_id, event_starts_at FROM notifications WHERE kind = 'reminder' AND event_id = $1`,
      [eventId],
    );
    const indexByUserId = new Map(people.map(({ userId }, index) => [userId, index]));
    expect(
      rows.map((row) => `${indexByUserId.get(Number(row.user_id))} ${row.event_starts_at.getTime()}`).sort(),
    ).toEqual([...model.reminded].sort());
  }

  /**
   * The start and place that each participant knows: the values at the time of joining, updated by all later notices.
   */
  async function knownByPeople(
    model: Model,
    people: readonly Person[],
    { eventId }: BuiltEvent,
  ): Promise<[number, Known][]> {
    const notices = await server.sql<{ user_id: string; words: Record<string, string>; created_at: Date }>(
      `SELECT user_id, words, created_at FROM notifications WHERE kind = 'event_changed' AND event_id = $1 ORDER BY id`,
      [eventId],
    );
    return [...model.known].map(([who, atJoining]) => {
      const laterNotices = notices.filter(
        ({ user_id, created_at }) =>
          Number(user_id) === people[who]?.userId && created_at.getTime() >= (model.joined.get(who) ?? 0),
      );
      return [
        who,
        laterNotices.reduce<Known>(
          ({ start, place }, { words }) => ({
            start: words.starts_to === undefined ? start : Date.parse(words.starts_to),
            place: words.place_to ?? place,
          }),
          atJoining,
        ),
      ];
    });
  }

  // NOTE-11, NOTE-14
  it(`show every participant the current start and place (NOTE-11; except people who joined between a change and its reversal), and include each reminder of NOTE-14 exactly once, in ${HISTORIES} histories`, async () => {
    await fc.assert(fc.asyncProperty(STEPS, runHistory), { numRuns: HISTORIES });
  }, 900_000);
});
