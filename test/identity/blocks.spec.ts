import { DataSource } from 'typeorm';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { buildEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { WIRE_TIME } from '#testing/times';
import { warmConnections } from '#testing/warm';

/** docs/rules/accounts.md, "Blocks": creating and ending blocks, and their effects. */
describe('blocks', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  beforeEach(async () => ({ jana, petr } = await server.people('jana', 'petr')));
  afterAll(() => server.stop());

  const block = async (blocker: Person, blocked: Person): Promise<void> =>
    expect((await blocker.api.put(`/blocks/${blocked.slug}`)).status).toBe(204);
  const unblock = async (blocker: Person, blocked: Person): Promise<void> =>
    expect((await blocker.api.delete(`/blocks/${blocked.slug}`)).status).toBe(204);
  const blockedBy = async (person: Person): Promise<string[]> =>
    (await person.api.get('/blocks')).body.data.map(({ user }: { user: { slug: string } }) => user.slug);
  const refusal = ({ status, body }: Answer): unknown[] => [status, body?.code];

  // ACC-13
  it('are listed in pages, latest first, only for the person who created them', async () => {
    const people = await server.people('adam', 'bara', 'cyril');
    // The order of the blocks differs from the order of the accounts.
    for (const person of [people.adam, people.cyril, people.bara]) await block(jana, person);
    const { body } = await jana.api.get('/blocks?per_page=2');
    expect(body.data).toEqual(
      [people.bara, people.cyril].map(({ name, slug }) => ({
        user: { name, nickname: null, slug, avatar_url: null },
        created_at: expect.stringMatching(WIRE_TIME),
      })),
    );
    expect(body.meta).toMatchObject({ total: 3, last_page: 2 });
    expect((await jana.api.get('/blocks?per_page=2&page=2')).body.data).toMatchObject([
      { user: { slug: people.adam.slug } },
    ]);
    expect((await people.adam.api.get('/blocks')).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect(refusal(await jana.api.get('/blocks?per_page=0'))).toEqual([422, 'validation_failed']);
  });

  // ACC-14
  it('are idempotent, and nobody can block themselves or an unknown person', async () => {
    await block(jana, petr);
    const before = (await jana.api.get('/blocks')).body.data;
    server.clock.forward(60_000);
    await block(jana, petr);
    expect((await jana.api.get('/blocks')).body.data).toEqual(before);
    const ownBlock = await jana.api.put(`/blocks/${jana.slug}`);
    expect([...refusal(ownBlock), Object.keys(ownBlock.body.errors)]).toEqual([422, 'validation_failed', ['slug']]);
    for (const slug of ['nobody-at-all', '%00', petr.id])
      expect(refusal(await jana.api.put(`/blocks/${slug}`))).toEqual([404, 'not_found']);
    expect(await blockedBy(jana)).toEqual([petr.slug]);
  });

  // ACC-14, DATA-10
  it('are refused for a deleted account, whose pseudonym counts as an unknown slug', async () => {
    const slug = 'deleted-0123456789abcdef0123';
    await server.sql(
      'INSERT INTO users (slug, name, searchable, gone, created_at, updated_at) VALUES ($1, $1, false, true, now(), now())',
      [slug],
    );
    expect(refusal(await jana.api.put(`/blocks/${slug}`))).toEqual([404, 'not_found']);
    expect(await blockedBy(jana)).toEqual([]);
  });

  // ACC-14, ACC-15
  it('are created and ended only once by parallel requests', async () => {
    await warmConnections(server.app.get(DataSource));
    const puts = await Promise.all(Array.from({ length: 8 }, () => jana.api.put(`/blocks/${petr.slug}`)));
    expect(puts.map(({ status }) => status)).toEqual(Array(8).fill(204));
    expect(await blockedBy(jana)).toEqual([petr.slug]);
    const ends = await Promise.all(Array.from({ length: 8 }, () => jana.api.delete(`/blocks/${petr.slug}`)));
    expect(ends.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(7).fill(404)]);
  });

  // ACC-15
  it('can be ended only by the person who created them', async () => {
    await block(jana, petr);
    for (const [person, slug] of [
      [petr, jana.slug],
      [jana, jana.slug],
      [jana, 'nobody-at-all'],
    ] as const) {
      expect(refusal(await person.api.delete(`/blocks/${slug}`))).toEqual([404, 'not_found']);
    }
    expect(await blockedBy(jana)).toEqual([petr.slug]);
    await unblock(jana, petr);
    expect(await blockedBy(jana)).toEqual([]);
    expect(refusal(await jana.api.delete(`/blocks/${petr.slug}`))).toEqual([404, 'not_found']);
  });

  // ACC-16
  it('that an operator created are listed for the blocking person, who can end them', async () => {
    const [eva, reader] = [await server.person('eva'), server.app.get(UsersReader)];
    await server.database.transaction((tx) => server.app.get(UsersCommands).setBlocked(tx, jana.userId, [petr.userId]));
    await block(jana, eva);
    expect((await blockedBy(jana)).sort()).toEqual([eva.slug, petr.slug].sort());
    expect(await reader.blockedBy(server.database, jana.userId)).toEqual([eva.slug, petr.slug].sort());
    await unblock(jana, petr);
    expect(await reader.blockedBy(server.database, jana.userId)).toEqual([eva.slug]);
  });

  describe('in force', () => {
    // ACC-16, DISC-1, JOIN-10
    it('exclude a person from the events of an organizer who blocks the person, but not from the events of an organizer whom the person blocks', async () => {
      const event = await buildEvent(server, jana, { title: 'Bez Petra' });
      const listed = async (): Promise<string[]> =>
        (await petr.api.get('/discover/events?per_page=100')).body.data.map(({ id }: { id: string }) => id);
      const joinWaitlist = async (): Promise<Answer> => petr.api.post(`/events/${event.id}/waitlist`);
      await block(petr, jana);
      expect(await listed()).toContain(event.id);
      await block(jana, petr);
      expect(await listed()).not.toContain(event.id);
      expect(refusal(await petr.api.post(`/events/${event.id}/join`))).toEqual([409, 'cannot_join']);
      expect(refusal(await joinWaitlist())).toEqual([409, 'cannot_join']);
      expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.viewer.can_join).toBe(false);
      await unblock(jana, petr);
      expect(await listed()).toContain(event.id);
      expect((await petr.api.post(`/events/${event.id}/join`)).status).toBe(200);
    });

    // ACC-16, JOIN-27
    it('prevent an organizer from inviting people who block the organizer', async () => {
      const event = await buildEvent(server, jana);
      const invite = (): Promise<Answer> => jana.api.post(`/events/${event.id}/participants`, { user: petr.slug });
      await block(petr, jana);
      expect(refusal(await invite())).toEqual([422, 'user_not_invitable']);
      await unblock(petr, jana);
      await block(jana, petr);
      expect((await invite()).status).toBe(201);
    });

    // ACC-16, GRP-22
    it('prevent the owner of a group from inviting people who block the owner', async () => {
      const [group, eva] = [
        (await jana.api.post('/groups', { name: 'Letná' })).body.data.id as string,
        await server.person('eva'),
      ];
      const invite = (whom: Person): Promise<Answer> => jana.api.post(`/groups/${group}/members`, { user: whom.slug });
      await block(petr, jana);
      expect(refusal(await invite(petr))).toEqual([422, 'invalid_invitee']);
      await server.database.transaction((tx) =>
        server.app.get(UsersCommands).setBlocked(tx, eva.userId, [jana.userId]),
      );
      expect(refusal(await invite(eva))).toEqual([422, 'invalid_invitee']);
      await unblock(petr, jana);
      await block(jana, petr);
      expect((await invite(petr)).status).toBe(201);
      // The invited person now blocks the owner. The owner gets the same response as for an unknown slug, so the block
      // is not revealed.
      await block(petr, jana);
      expect(refusal(await invite(petr))).toEqual([422, 'invalid_invitee']);
    });

    // ACC-16, GAL-4
    it('prevent a person from adding photos to the gallery of an organizer who blocks the person', async () => {
      const event = await buildEvent(server, jana, { photos_enabled: true, with: [[petr, 'confirmed']] });
      const send = async (): Promise<Answer> =>
        petr.api.upload(`/events/${event.id}/photos`, [['photos[]', new Blob([await media.phonePhoto()])]]);
      await block(jana, petr);
      expect(refusal(await send())).toEqual([403, 'upload_forbidden']);
      await unblock(jana, petr);
      expect((await send()).status).toBe(201);
    });

    // ACC-16, PULS-10
    it('hide the Puls posts of the two people from each other', async () => {
      for (const person of [jana, petr])
        await person.api.upload('/puls', [
          ['latitude', '50'],
          ['longitude', '14'],
          ['body', person.slug],
        ]);
      const pulsFor = async (reader: Person): Promise<string[]> =>
        (await reader.api.get('/puls?lat=50&lng=14&limit=100')).body.data.map(({ body }: { body: string }) => body);
      expect(await pulsFor(petr)).toEqual(expect.arrayContaining([jana.slug, petr.slug]));
      await block(jana, petr);
      for (const [reader, other] of [
        [jana, petr],
        [petr, jana],
      ] as const) {
        expect(await pulsFor(reader)).toContain(reader.slug);
        expect(await pulsFor(reader)).not.toContain(other.slug);
      }
      await unblock(jana, petr);
      expect(await pulsFor(petr)).toContain(jana.slug);
    });
  });

  // ACC-17, GRP-22
  it('do not change existing relations, and cause no notice', async () => {
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const invited = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
    const group = (await jana.api.post('/groups', { name: 'Letná' })).body.data.id as string;
    await jana.api.post(`/groups/${group}/members`, { user: petr.slug });
    expect((await petr.api.post(`/groups/${group}/join`)).status).toBe(200);
    const relationsOf = async (): Promise<unknown[]> =>
      Promise.all(
        [
          jana.api.get(`/events/${event.id}/participants`),
          jana.api.get(`/groups/${group}/members`),
          petr.api.get(`/groups/${group}`),
          petr.api.get('/blocks'),
          petr.api.get('/user'),
        ].map(async (answer) => (await answer).body),
      );
    const notices = () => server.sql('SELECT kind FROM notifications WHERE user_id = $1', [petr.userId]);
    const before = await relationsOf();
    const noticesBefore = await notices();
    await block(jana, petr);
    await block(petr, jana);
    await unblock(petr, jana);
    expect(await relationsOf()).toEqual(before);
    expect((await petr.api.get(`/discover/events/${invited.id}`)).status).toBe(200);
    expect(await notices()).toEqual(noticesBefore);
    expect((await petr.api.delete(`/events/${event.id}/join`)).status).toBe(204);
  });
});
