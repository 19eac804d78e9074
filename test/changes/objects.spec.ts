import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { buildEvent } from '#testing/builders';
import { ACTIONS, ACTIONS_BY_WEIGHT, createObjectsOfMostKinds } from '#testing/random-actions';
import { EventStream } from '#testing/event-stream';
import { Feed } from '#testing/feed';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { expectedObject, type EntryWithObject } from '#testing/subject-objects';
import { TestServer } from '#testing/test-server';
import { emptyWorld, type World } from '#testing/world';

let server: TestServer;
const streams: EventStream[] = [];
beforeAll(async () => {
  server = await TestServer.start();
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(() => server.stop());

const CZECH = { 'accept-language': 'cs' };
const PEOPLE = 20;
/**
 * At the end of each repetition, every fifth person reads all entries again from a stream, except people who are banned
 * or erased.
 */
const PEOPLE_PER_STREAM_READER = 5;
const STEPS = 40;
const REPETITIONS = repetitions('objects_groups');
const step = fc.record({
  action: fc.constantFrom(...ACTIONS_BY_WEIGHT),
  actor: fc.nat(),
  other: fc.nat(),
  choices: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
});

async function page(
  person: Person,
  cursor: string,
  query = '',
): Promise<{ data: EntryWithObject[]; meta: { cursor: string; has_more: boolean } }> {
  const { status, body } = await person.api.get(`/changes?include=subject&cursor=${cursor}${query}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as Awaited<ReturnType<typeof page>>;
}

async function expectObjects(person: Person, entries: readonly EntryWithObject[]): Promise<void> {
  const expectedObjects = new Map<string, Promise<string | undefined>>();
  for (const entry of entries) {
    const key = `${entry.type.endsWith('.gone')} ${entry.subject.type} ${entry.subject.id} ${entry.subject.url}`;
    expectedObjects.set(key, expectedObjects.get(key) ?? expectedObject(server, person, entry));
    expect(`${person.slug} ${entry.type} ${JSON.stringify(entry.object)}`).toBe(
      `${person.slug} ${entry.type} ${await expectedObjects.get(key)}`,
    );
  }
}

/** Adds an itinerary, a photo, and an event with tickets, because random actions rarely create these kinds. */
async function addRareContent({ events, people }: World): Promise<void> {
  const [organizer, event] = [people[0]!, events[1]!];
  await event.owner.api.put(`/events/${event.id}/itinerary`, { title: 'Plán', stops: [{ title: 'Sraz' }] });
  await event.owner.api.upload(`/events/${event.id}/photos`, [
    ['photos[]', new Blob([new Uint8Array(await picture())])],
  ]);
  const { id } = await buildEvent(server, organizer, { join_mode: 'tickets', max_participants: 5 });
  await organizer.api.post(`/events/${id}/tickets`, { count: 2 });
}

/** Performs random actions. After each action, calls `afterAction` with the number of actions so far. */
async function performRandomActions(
  world: World,
  seed: number,
  afterAction: (done: number) => Promise<void>,
): Promise<void> {
  const steps = fc.sample(step, { numRuns: STEPS, seed: 20_261_124 + seed });
  for (const [i, { action, actor, other, choices }] of steps.entries()) {
    const present = world.people.filter((person) => !world.erased.has(person));
    const remaining = [...choices];
    await ACTIONS[action]!(world, {
      actor: present[actor % present.length]!,
      other: present[other % present.length]!,
      pick: (list) => list[(remaining.pop() ?? 0) % Math.max(1, list.length)],
    });
    await afterAction(i + 1);
  }
}

/**
 * Reads the next page of a person's changes. Compares its entries with the page without objects, and its objects with
 * the responses of GET. Returns the entries.
 */
async function compareNextPage(feed: Feed): Promise<readonly EntryWithObject[]> {
  const { data, meta } = await page(feed.person, feed.cursor);
  const withoutObjects = await feed.person.api.get(`/changes?cursor=${feed.cursor}`);
  expect(data.map(({ object: _, ...entry }) => entry)).toEqual(withoutObjects.body.data);
  await expectObjects(feed.person, data);
  feed.cursor = meta.cursor;
  return data;
}

/**
 * Reads all entries of a person since `start` from a stream. Compares the entries with the pages without objects, and
 * the objects with the responses of GET.
 */
async function compareStream(feed: Feed, start: string): Promise<void> {
  const stream = await EventStream.open(feed.person, `?include=subject&cursor=${start}`);
  streams.push(stream);
  feed.cursor = start;
  const withoutObjects = await feed.newEntries();
  await stream.until(({ entries }) => entries.length >= withoutObjects.length);
  const streamed = stream.entries as EntryWithObject[];
  expect(streamed.map(({ object: _, ...entry }) => entry)).toEqual(withoutObjects);
  await expectObjects(feed.person, streamed);
  stream.close();
}

describe('entries with objects', () => {
  // CHG-17
  it(`contain the same object as a GET of the subject, after random actions of twenty people, repeated ${REPETITIONS} times`, async () => {
    const kinds = new Set<string>();
    let pages = 0;
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const world = emptyWorld(
        server,
        await Promise.all(Array.from({ length: PEOPLE }, (_, i) => server.person(`o${i}`))),
      );
      const feeds = await Feed.all(...world.people);
      const starts = feeds.map(({ cursor }) => cursor);
      const isActive = ({ person }: Feed): boolean => !world.banned.has(person) && !world.erased.has(person);
      await createObjectsOfMostKinds(world);
      await addRareContent(world);
      await performRandomActions(world, repetition, async (done) => {
        // After every ten actions, half of the people read their new entries. After the last action, all people read.
        // Banned and deleted accounts do not read.
        if (done % 10 !== 0) return;
        for (const feed of feeds.filter((_, n) => done === STEPS || n % 2 === (done / 10) % 2).filter(isActive)) {
          const entries = await compareNextPage(feed);
          if (entries.length > 0) pages++;
          for (const { object, subject } of entries) if (object !== null) kinds.add(subject.type);
        }
      });
      for (const [n, feed] of feeds.entries())
        if (n % PEOPLE_PER_STREAM_READER === 0 && isActive(feed)) await compareStream(feed, starts[n]!);
    }
    expect(pages).toBeGreaterThan(20 * REPETITIONS);
    expect([...kinds].sort()).toEqual([
      'comment',
      'event',
      'expense',
      'group',
      'itinerary',
      'member',
      'notice',
      'participant',
      'photo',
      'post',
      'series',
      'ticket',
    ]);
  }, 900_000);

  // CHG-17
  it('contain only data that the reader can see at the time of the request, for example after a block, a ban or the deletion of a comment', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const event = await buildEvent(server, jana, {
      with: [
        [petr, 'waitlisted'],
        [eva, 'confirmed'],
      ],
    });
    const [feedOfPetr, feedOfJana] = (await Feed.all(petr, jana)) as [Feed, Feed];
    const { body } = await eva.api.post(`/events/${event.id}/comments`, { body: 'Ahoj' });
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    await jana.api.put(`/blocks/${petr.slug}`);
    const blocked = await page(petr, feedOfPetr.cursor);
    expect(blocked.data.map(({ type }) => type)).toEqual(['comment.created', 'event.updated']);
    await expectObjects(petr, blocked.data);
    expect(blocked.data[1]!.object).toMatchObject({ title: 'Jiný', viewer: { can_join: false } });
    await jana.api.delete(`/events/${event.id}/participants/${petr.slug}?ban=1`);
    expect((await page(petr, feedOfPetr.cursor)).data).toMatchObject([
      { type: 'event.gone', object: null },
      { type: 'notice.created', object: { kind: 'removal' } },
    ]);
    await eva.api.delete(`/comments/${body.data.id as string}`);
    const nextPage = await page(jana, feedOfJana.cursor);
    expect(nextPage.data.find(({ type }) => type === 'comment.gone')).toMatchObject({ object: null });
    expect(nextPage.data.some(({ type }) => type === 'comment.created')).toBe(false);
  });

  // CHG-17, EXP-8
  it('contain the people of an expense in the order of their slugs, as in the response of POST', async () => {
    const { jana, zoe, adam } = await server.people('jana', 'zoe', 'adam');
    const event = await buildEvent(server, jana, {
      with: [
        [zoe, 'confirmed'],
        [adam, 'confirmed'],
      ],
    });
    const { cursor } = await Feed.of(zoe);
    const { body } = await jana.api.post(`/events/${event.id}/expenses`, { title: 'Čaj', amount: 9 });
    const { data } = await page(zoe, cursor);
    const created = data.find(({ type }) => type === 'expense.created');
    expect(created?.object).toEqual(body.data);
    expect(body.data.shared_with.map(({ slug }: { slug: string }) => slug)).toEqual([adam.slug, jana.slug, zoe.slug]);
  });

  // CHG-17
  it('have a null object, but are not omitted, if the payment that they report was deleted', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const { cursor } = await Feed.of(petr);
    const payments = `/events/${event.id}/expenses/payments`;
    const { body } = await jana.api.post(payments, { to: petr.slug, amount: 50, currency: 'CZK' });
    await jana.api.delete(`${payments}/${body.data.id as string}`);
    const { data } = await page(petr, cursor);
    const updates = data.filter(({ type }) => type === 'expense.updated');
    expect(updates[0]).toMatchObject({ subject: { id: body.data.id } });
    expect(new Set(updates.map(({ object }) => object))).toEqual(new Set([null]));
  });

  // CHG-17
  it('are also sent to waiting requests and in streams, in the language of the request', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const { cursor } = await Feed.of(petr);
    const wait = petr.api.send('GET', `/changes?cursor=${cursor}&wait=20&include=subject`, { headers: CZECH });
    const stream = await EventStream.open(petr, `?cursor=${cursor}&include=subject`, CZECH);
    streams.push(stream);
    await pause(300);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    const waited = await wait;
    expect(waited.headers.get('cache-control')).toBe('no-store');
    await stream.until(({ entries }) => entries.length === 2);
    for (const entries of [waited.body.data as EntryWithObject[], stream.entries as EntryWithObject[]]) {
      const cancelled = entries.find(({ type }) => type === 'event.cancelled')!;
      await expectObjects(petr, [cancelled]);
    }
    const notice = (stream.entries as EntryWithObject[]).find(({ type }) => type === 'notice.created')!;
    const list = await petr.api.send('GET', '/notices', { headers: CZECH });
    expect(notice.object).toEqual(list.body.data[0]);
  });

  // CHG-17
  it('are divided into pages of at most 1 MB, without a missing entry between two pages', async () => {
    const jana = await server.person('jana');
    const { cursor } = await Feed.of(jana);
    const body = `<p>${'ž'.repeat(18_000)}</p>`;
    const slugs: string[] = [];
    for (let i = 0; i < 40; i++) {
      const post = await jana.api.post('/posts', { title: `Zpráva ${i}`, body, categories: ['evropa'] });
      expect([post.status, post.body.errors]).toEqual([201, undefined]);
      slugs.push(post.body.data.slug as string);
    }
    const receivedIds: string[] = [];
    let at = cursor;
    for (let pages = 0; ; pages++) {
      const { status, body: found, text } = await jana.api.get(`/changes?include=subject&cursor=${at}`);
      expect([status, Buffer.byteLength(text) <= 1_000_000]).toEqual([200, true]);
      receivedIds.push(...(found.data as EntryWithObject[]).map(({ subject }) => subject.id));
      at = found.meta.cursor as string;
      if (!found.meta.has_more) {
        expect(pages).toBeGreaterThan(0);
        break;
      }
    }
    expect(receivedIds).toEqual(slugs);
  });

  // CHG-17
  it('are alone on a page if they are larger than 1 MB', async () => {
    const jana = await server.person('jana');
    const slugs: string[] = [];
    let { cursor } = await Feed.of(jana);
    for (let n = 0; n < 3; n++) {
      const post = await jana.api.post('/posts', { title: `Zpráva ${n}`, body: '<p>Ahoj</p>', categories: ['evropa'] });
      slugs.push(post.body.data.slug as string);
    }
    await server.sql(`UPDATE all_posts SET body = '<p>' || repeat('x', 1_000_000) || '</p>' WHERE slug = $1`, [
      slugs[1],
    ]);
    const pages: string[][] = [];
    for (let hasMore = true; hasMore && pages.length < 10;) {
      const { data, meta } = await page(jana, cursor);
      pages.push(data.map(({ type, subject }) => `${type} ${subject.id}`));
      ({ cursor, has_more: hasMore } = meta);
    }
    expect(pages).toEqual([
      [`post.created ${slugs[0]}`],
      [`post.created ${slugs[1]}`],
      [`post.created ${slugs[2]}`],
      [`post.updated ${slugs[1]}`],
    ]);
  });

  // CHG-17
  it('are sent only with `include=subject`', async () => {
    const jana = await server.person('jana');
    const { cursor } = await Feed.of(jana);
    await buildEvent(server, jana);
    const { body } = await jana.api.get(`/changes?cursor=${cursor}`);
    expect(body.data[0]).not.toHaveProperty('object');
    for (const include of ['', 'x', 'subject,by', 'Subject']) {
      const refused = await jana.api.get(`/changes?include=${include}`);
      expect([include, refused.status, Object.keys((refused.body.errors ?? {}) as object)]).toEqual([
        include,
        422,
        ['include'],
      ]);
    }
  });
});
