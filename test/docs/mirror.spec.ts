import { buildEvent, type BuiltEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';
import { TownMirror, type MirroredEvent } from './mirror-client';

const EVENTS = repetitions('mirror_events');
const CHANGES = EVENTS / 10;
const PER_PAGE = EVENTS / 10;

// CHG-17, DISC-17, DISC-20
describe('a client that was written from the OpenAPI document', () => {
  let server: TestServer;
  const mirrors: TownMirror[] = [];
  let towns = 0;
  beforeAll(async () => (server = await TestServer.start()));
  afterEach(() => {
    for (const mirror of mirrors.splice(0)) mirror.stop();
  });
  afterAll(() => server.stop());

  /** A group, its organizer and a member who reads. All events of the group are in one square of the map (`bbox`). */
  class Town {
    readonly bbox: string;
    readonly events: BuiltEvent[] = [];
    private constructor(
      readonly organizer: Person,
      readonly reader: Person,
      private readonly group: string,
      private readonly west: number,
    ) {
      this.bbox = `${west},50,${west + 0.5},50.5`;
    }

    static async create(): Promise<Town> {
      const { jana, petr } = await server.people('jana', 'petr');
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      return new Town(jana, petr, group.id, 10 + towns++);
    }

    async announce(count: number): Promise<void> {
      for (let n = 0; n < count; n++)
        this.events.push(
          await buildEvent(server, this.organizer, {
            group: this.group,
            is_public: true,
            title: `Akce ${this.events.length}`,
            latitude: 50.1,
            longitude: this.west + 0.1,
          }),
        );
    }

    mirror(): TownMirror {
      const mirror = new TownMirror(server.origin, this.reader.token, this.bbox, PER_PAGE);
      mirrors.push(mirror);
      return mirror;
    }

    /** The events of the town on all pages of Discover. */
    async listed(): Promise<Map<string, MirroredEvent>> {
      const listed = new Map<string, MirroredEvent>();
      for (let page = 1, last = 1; page <= last; page++) {
        const { body } = await this.reader.api.get(
          `/discover/events?bbox=${this.bbox}&sort=starts_at&per_page=100&page=${page}`,
        );
        last = body.meta.last_page as number;
        for (const event of body.data as MirroredEvent[]) listed.set(event.id, event);
      }
      return listed;
    }
  }

  it(`copies ${EVENTS} new events of a town and ${CHANGES} changes with two requests: one for the stream, one for the list`, async () => {
    const town = await Town.create();
    const mirror = town.mirror();
    await mirror.start();
    await town.announce(EVENTS);
    await waitUntil(() => mirror.changes >= EVENTS);
    for (const [n, { id }] of town.events.slice(0, CHANGES).entries()) {
      if (n % 10 === 0) await town.organizer.api.patch(`/events/${id}`, { status: 'cancelled' });
      else if (n % 10 === 1) await town.organizer.api.delete(`/events/${id}`);
      else await town.organizer.api.patch(`/events/${id}`, { title: `Nový název ${n}` });
    }
    await waitUntil(() => mirror.changes >= EVENTS + CHANGES);
    const listed = await town.listed();
    expect(listed.size).toBe(EVENTS - town.events.slice(0, CHANGES).filter((_, n) => n % 10 < 2).length);
    expect(mirror.events).toEqual(listed);
    expect([mirror.changes, mirror.requests]).toEqual([EVENTS + CHANGES, 2]);
  }, 300_000);

  it(`copies ${EVENTS - CHANGES} existing events of a town, and then ${CHANGES} new events, in at most 10 requests`, async () => {
    const town = await Town.create();
    await town.announce(EVENTS - CHANGES);
    const mirror = town.mirror();
    await mirror.start();
    await town.announce(CHANGES);
    await waitUntil(() => mirror.changes >= CHANGES);
    const listed = await town.listed();
    expect(listed.size).toBe(EVENTS);
    expect(mirror.events).toEqual(listed);
    expect(mirror.requests).toBeLessThanOrEqual(10);
  }, 300_000);
});
