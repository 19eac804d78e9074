import { createHmac } from 'node:crypto';
import { ADD_HASH_KEY } from '#areas/participation/door/door.query';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { CreditsCommands } from '#areas/credits/credits.commands';
import { CreditsReader } from '#areas/credits/credits.reader';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { seededRandom } from '#testing/balances';
import { crowd } from '#testing/crowd';
import { ledgerFaults } from '#testing/ledger';
import { clientOf, type Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

type Scan = Record<string, unknown>;

/** Returns the normal form of a code (DOOR-4), as a device calculates it. */
const normal = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
/** Returns the hash of a code with the key `pack`, as a device calculates it. */
const hashOf = (pack: string, code: string): string =>
  createHmac('sha256', Buffer.from(pack, 'utf8')).update(normal(code)).digest('hex');

/** docs/rules/door.md: the API of the door. */
describe('the door', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person, ota: Person;
  let base: number;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => {
    ({ jana, petr, eva, ota } = await server.people('jana', 'petr', 'eva', 'ota'));
    base = Math.floor(server.clock.now().getTime() / 1000) * 1000 - 600_000;
  });
  afterEach(async () => {
    server.clock.reset();
    expect(await ledgerFaults(server)).toEqual([]);
  });
  afterAll(() => server.stop());

  /** The time `n` seconds after `base`, which is ten minutes before the start of the test. */
  const at = (n: number): string => `${new Date(base + n * 1000).toISOString().slice(0, 19)}Z`;
  const send = (event: BuiltEvent, scans: Scan[], device = 'brána', sender = jana) =>
    sender.api.post(`/events/${event.id}/door/scans`, { device, scans });
  async function scanned(event: BuiltEvent, ...scans: Scan[]): Promise<string[]> {
    const { status, body, headers } = await send(
      event,
      scans.map((scan) => ({ scanned_at: at(0), ...scan })),
    );
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    return body.data.map(({ result }: { result: string }) => result);
  }
  const doorOf = async ({ id }: BuiltEvent) => (await jana.api.get(`/events/${id}/door`)).body.data;
  const codeOf = async (who: Person, { id }: BuiltEvent): Promise<string> =>
    (await who.api.get(`/discover/events/${id}`)).body.data.viewer.check_in_code;
  async function checkInTimes(event: BuiltEvent, reader = jana): Promise<Record<string, string | null>> {
    const { body } = await reader.api.get(`/events/${event.id}/participants?per_page=100`);
    return Object.fromEntries(
      body.data.map(({ user, checked_in_at }: { user: { slug: string }; checked_in_at: string | null }) => [
        user.slug,
        checked_in_at,
      ]),
    );
  }
  const checkedInAt = async (event: BuiltEvent, who: Person) => (await checkInTimes(event))[who.slug];
  const manualPath = (event: BuiltEvent, who: Person) => `/events/${event.id}/participants/${who.slug}/check-in`;

  describe('the list for a device', () => {
    // DOOR-3, DOOR-4
    it('contains everybody who is confirmed, invited, on the waitlist or has asked to join, and the hashes of the participants’ codes', async () => {
      const { iva, bara, cyril } = await server.people('iva', 'bara', 'cyril');
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'pending'],
          [ota, 'waitlisted'],
          [iva, 'requested'],
          [bara, 'declined'],
          [cyril, 'banned'],
        ],
      });
      const answer = await jana.api.get(`/events/${event.id}/door`);
      const { pack, made_at, people, title } = answer.body.data;
      expect(title).toBe('Piknik ve Stromovce');
      expect([answer.headers.get('cache-control'), pack, Math.abs(Date.parse(made_at) - Date.now()) < 60_000]).toEqual([
        'private, no-cache',
        expect.stringMatching(/^[\w-]{43}$/),
        true,
      ]);
      const code = await codeOf(petr, event);
      const listedPeople = [
        [petr, 'confirmed'],
        [eva, 'pending'],
        [ota, 'waitlisted'],
        [iva, 'requested'],
      ] as const;
      // The next test checks the order of the people.
      expect(new Set(people)).toEqual(
        new Set(
          listedPeople.map(([{ slug, name }, status]) => ({
            user: { slug, name, nickname: null, avatar_url: null },
            status,
            code_hash: status === 'confirmed' ? hashOf(pack, code) : null,
            ticket_hash: null,
            checked_in_at: null,
          })),
        ),
      );
      expect(
        hashOf(pack, ` ${code.toLowerCase().replaceAll('-', '.').replaceAll('0', 'o').replaceAll('1', 'l')}`),
      ).toBe(hashOf(pack, code));
      expect(normal(answer.text)).not.toContain(normal(code));
    });

    // DOOR-3
    it('begins with the person whose relation to the event is the oldest', async () => {
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'pending'],
          [ota, 'waitlisted'],
        ],
      });
      for (const [days, { userId }] of [eva, ota, petr].entries())
        await server.sql('UPDATE participations SET created_at = $3 WHERE event_id = $1 AND user_id = $2', [
          event.eventId,
          userId,
          inDays(days - 5),
        ]);
      const { people } = await doorOf(event);
      expect(people.map(({ user }: { user: { slug: string } }) => user.slug)).toEqual([eva.slug, ota.slug, petr.slug]);
    });

    // DOOR-4
    it('contains the hash of the ticket that a person joined with', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'tickets' });
      const [{ code }] = (await jana.api.post(`/events/${event.id}/tickets`, { count: 2 })).body.data;
      await petr.api.post(`/events/${event.id}/join`, { ticket_code: code });
      const { pack, people } = await doorOf(event);
      expect(people).toHaveLength(1);
      expect([people[0].ticket_hash, people[0].code_hash]).toEqual([
        hashOf(pack, code),
        hashOf(pack, await codeOf(petr, event)),
      ]);
    });

    // DOOR-3, DOOR-5
    it('contains a hash key (`pack`) that differs for each event and never changes; the ETag does not change if only `made_at` changes', async () => {
      const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
      const packs = await Promise.all(Array.from({ length: 8 }, () => doorOf(event)));
      expect(new Set(packs.map(({ pack }) => pack)).size).toBe(1);
      // If the first two requests for a list run at the same time, both may find no key and create one. The second key
      // must not replace the first.
      await server.database.rows(ADD_HASH_KEY, [event.eventId, 'another']);
      expect((await doorOf(event)).pack).toBe(packs[0].pack);
      expect((await doorOf(await buildEvent(server, jana))).pack).not.toBe(packs[0].pack);
      const first = await jana.api.get(`/events/${event.id}/door`);
      server.clock.forward(60_000);
      const reader = clientOf(server, jana.token);
      const again = await reader.send('GET', `/events/${event.id}/door`, {
        headers: { 'if-none-match': first.headers.get('etag')! },
      });
      expect([again.status, again.text, again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([
        304,
        '',
        first.headers.get('etag'),
        'private, no-cache',
      ]);
      expect((await doorOf(event)).made_at).not.toBe(first.body.data.made_at);
      await scanned(event, { user: petr.slug });
      const changed = await reader.send('GET', `/events/${event.id}/door`, {
        headers: { 'if-none-match': first.headers.get('etag')! },
      });
      expect([changed.status, changed.body.data.people[0].checked_in_at]).toEqual([200, at(0)]);
      await jana.api.patch(`/events/${event.id}`, { title: 'Ples' });
      const renamed = await reader.send('GET', `/events/${event.id}/door`, {
        headers: { 'if-none-match': changed.headers.get('etag')! },
      });
      expect([renamed.status, renamed.body.data?.title]).toEqual([200, 'Ples']);
    });

    // DOOR-3, DOOR-6
    it('can be read only by the organizer, with any token; only the organizer with a write token can send scans', async () => {
      const reader = await server.person('reader', { access: 'read' });
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [ota, 'banned'],
        ],
      });
      const hidden = await buildEvent(server, jana, {
        is_public: false,
        with: [
          [petr, 'confirmed'],
          [ota, 'banned'],
        ],
      });
      const errorCodes = async (path: (id: string) => string, method: string, json?: Record<string, unknown>) => {
        const requests = [
          [eva, event],
          [petr, event],
          [ota, event],
          [petr, hidden],
          [eva, hidden],
          [ota, hidden],
        ] as const;
        return Promise.all(
          requests.map(async ([who, { id }]) => (await who.api.send(method, path(id), json ? { json } : {})).body.code),
        );
      };
      const expected = ['forbidden', 'forbidden', 'banned', 'forbidden', 'not_found', 'not_found'];
      expect(await errorCodes((id) => `/events/${id}/door`, 'GET')).toEqual(expected);
      expect(await errorCodes((id) => `/events/${id}/door/scans`, 'POST', { scans: 'x' })).toEqual(expected);
      const own = await buildEvent(server, reader, {
        is_public: false,
        starts_at: inDays(-3),
        with: [[petr, 'confirmed']],
      });
      expect((await reader.api.get(`/events/${own.eventId}/door`)).body.data.people).toHaveLength(1);
      expect((await send(own, [{ user: petr.slug, scanned_at: at(0) }], 'a', reader)).body.code).toBe(
        'insufficient_scope',
      );
    });
  });

  describe('scans', () => {
    // DOOR-8, DOOR-6
    it('get individual results, in the order of the scans', async () => {
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'pending'],
          [ota, 'banned'],
        ],
      });
      const other = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
      const [code, foreign] = [await codeOf(petr, event), await codeOf(petr, other)];
      const { body } = await send(event, [
        { code, scanned_at: at(1) },
        { code: code.toLowerCase().replaceAll('-', '.'), scanned_at: at(2) },
        { code: 'ZZZZ-ZZZZ', scanned_at: at(1) },
        { code: foreign, scanned_at: at(1) },
        { user: eva.slug, scanned_at: at(1) },
        { user: ota.slug, scanned_at: at(1) },
        { user: jana.slug, scanned_at: at(1) },
        { user: 'nikdo', scanned_at: at(1) },
        { user: petr.slug, scanned_at: at(3), undo: true },
        { user: petr.slug, scanned_at: at(0), code: null },
      ]);
      const [person, invited, banned] = [petr, eva, ota].map(({ slug }) => expect.objectContaining({ slug }));
      const nobody = { user: null, checked_in_at: null };
      expect(body.data).toEqual([
        { result: 'checked_in', user: person, checked_in_at: at(1) },
        { result: 'already', user: person, checked_in_at: at(1) },
        { result: 'not_found', ...nobody },
        { result: 'not_found', ...nobody },
        { result: 'not_participant', user: invited, checked_in_at: null },
        { result: 'not_participant', user: banned, checked_in_at: null },
        { result: 'not_participant', ...nobody },
        { result: 'not_found', ...nobody },
        { result: 'undone', user: person, checked_in_at: null },
        { result: 'undone', user: person, checked_in_at: null },
      ]);
      expect(await checkedInAt(event, petr)).toBeNull();
    });

    // DOOR-8, DOOR-4
    it('accept a typed code with I or L instead of 1 and O instead of 0, as a manual check-in does', async () => {
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'confirmed'],
        ],
      });
      await server.sql(
        "UPDATE participations SET check_in_code = '10A1-0B1C-2D3E-4F5G' WHERE event_id = $1 AND user_id = $2",
        [event.eventId, petr.userId],
      );
      await server.sql(
        "UPDATE participations SET check_in_code = '1111-0000-1010-0101' WHERE event_id = $1 AND user_id = $2",
        [event.eventId, eva.userId],
      );
      for (const code of [
        '10A1-0B1C-2D3E-4F5G',
        'LOAL-OBLC-2D3E-4F5G',
        'i0ai0bic2d3e4f5g',
        'l o a i . o b L c . 2d3e 4f5g',
      ]) {
        expect([code, (await scanned(event, { code, scanned_at: at(1) }))[0]]).toEqual([
          code,
          code.startsWith('10A1') ? 'checked_in' : 'already',
        ]);
      }
      for (const code of ['lill-oOo0-LOIO-OIOL', 'IIII0000LOLOOLOL'])
        expect([code, (await jana.api.post(`/events/${event.id}/check-in`, { code })).status]).toEqual([code, 200]);
      const { pack, people } = await doorOf(event);
      const hash = (person: Person) =>
        people.find(({ user }: { user: { slug: string } }) => user.slug === person.slug).code_hash as string;
      expect([hash(petr), hash(eva)]).toEqual(
        ['10A10B1C2D3E4F5G', '1111000010100101'].map((code) =>
          createHmac('sha256', pack as string)
            .update(code)
            .digest('hex'),
        ),
      );
    });

    // DOOR-8
    it('recognize used tickets of participants, and tickets without a participant', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'tickets' });
      const [used, unused] = (await jana.api.post(`/events/${event.id}/tickets`, { count: 2 })).body.data.map(
        ({ code }: { code: string }) => code,
      );
      await petr.api.post(`/events/${event.id}/join`, { ticket_code: used });
      expect(await scanned(event, { code: unused }, { code: used }, { code: await codeOf(petr, event) })).toEqual([
        'not_participant',
        'checked_in',
        'already',
      ]);
      await petr.api.delete(`/events/${event.id}/join`);
      expect(await scanned(event, { code: used })).toEqual(['not_participant']);
      expect(await scanned(await buildEvent(server, jana), { code: used })).toEqual(['not_found']);
    });

    // DOOR-8
    it('of a cancelled event are all answered with "cancelled" and change nothing', async () => {
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'confirmed'],
        ],
      });
      await scanned(event, { user: petr.slug });
      await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
      const { body } = await send(event, [
        { user: petr.slug, scanned_at: at(-9) },
        { user: eva.slug, scanned_at: at(0) },
        { code: 'ZZZZ', scanned_at: at(0) },
        { user: petr.slug, scanned_at: at(3), undo: true },
      ]);
      expect(body.data.map(({ result, checked_in_at }: Scan) => [result, checked_in_at])).toEqual([
        ['cancelled', at(0)],
        ['cancelled', null],
        ['cancelled', null],
        ['cancelled', at(0)],
      ]);
      expect(await checkInTimes(event)).toEqual({ [petr.slug]: at(0), [eva.slug]: null });
    });

    // DOOR-7, DOOR-6
    it('are all refused if one scan is invalid, and the error contains the index of this scan', async () => {
      const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
      const good = { user: petr.slug, scanned_at: at(0) };
      const errorsOf = async (body: Record<string, unknown>): Promise<string[]> => {
        const answer = await jana.api.post(`/events/${event.id}/door/scans`, body);
        expect(answer.body.code).toBe('validation_failed');
        return Object.keys(answer.body.errors);
      };
      for (const device of [undefined, null, '', 5, 'x'.repeat(101)])
        expect(await errorsOf({ device, scans: [good] })).toEqual(['device']);
      for (const scans of [undefined, null, 'x', {}, [], Array(501).fill({ scanned_at: 5 })])
        expect(await errorsOf({ device: 'a', scans })).toEqual(['scans']);
      for (const scan of [
        null,
        'x',
        [],
        { scanned_at: at(0) },
        { ...good, code: 'ABCD' },
        { code: '', scanned_at: at(0) },
      ])
        expect(await errorsOf({ device: 'a', scans: [good, scan] })).toEqual(['scans.1']);
      expect(await errorsOf({ device: 'a', scans: [{}, good] })).toEqual(['scans.0', 'scans.0.scanned_at']);
      expect(await errorsOf({ device: '', scans: [{ ...good, code: 'ABCD', undo: 1 }] })).toEqual([
        'device',
        'scans.0',
        'scans.0.undo',
      ]);
      const ahead = (ms: number): string => new Date(server.clock.now().getTime() + ms).toISOString();
      for (const scanned_at of [undefined, null, 'včera', '2026-11-20', 1_700_000_000, ahead(310_000)])
        expect(await errorsOf({ device: 'a', scans: [good, { ...good, scanned_at }] })).toEqual(['scans.1.scanned_at']);
      for (const undo of ['true', 1])
        expect(await errorsOf({ device: 'a', scans: [good, { ...good, undo }] })).toEqual(['scans.1.undo']);
      expect(await errorsOf({ device: 'a', scans: [good, { user: 5, scanned_at: at(0) }] })).toEqual(['scans.1.user']);
      expect(await checkedInAt(event, petr)).toBeNull();
      expect(
        await scanned(event, ...Array<Scan>(499).fill(good), { ...good, scanned_at: ahead(290_000) }),
      ).toHaveLength(500);
    });
  });

  describe('the combination of scans and manual check-ins', () => {
    // DOOR-11, DOOR-10, JOIN-32
    it('uses the earliest check-in, from any device', async () => {
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'confirmed'],
        ],
      });
      await scanned(event, { user: petr.slug, scanned_at: at(5) });
      expect((await jana.api.put(manualPath(event, petr))).body).toMatchObject({
        data: { checked_in_at: at(5) },
        meta: { already_checked_in: true },
      });
      const now = (await jana.api.put(manualPath(event, eva))).body.data.checked_in_at;
      expect(
        await scanned(event, { user: eva.slug, scanned_at: new Date(Date.parse(now) + 2000).toISOString() }),
      ).toEqual(['already']);
      expect(await checkedInAt(event, eva)).toBe(now);
      expect(await scanned(event, { user: eva.slug, scanned_at: at(2) })).toEqual(['already']);
      expect(await checkedInAt(event, eva)).toBe(at(2));
      // The manual check-in changed nothing, but is stored: when the scan is undone, the manual check-in counts.
      expect(await scanned(event, { user: petr.slug, scanned_at: at(6), undo: true })).toEqual(['already']);
      expect(Date.parse((await checkedInAt(event, petr))!)).toBeGreaterThanOrEqual(Date.parse(at(600)));
    });

    // DOOR-11, JOIN-34
    it('ignores scans that were made before a manual undo, even if these scans arrive later', async () => {
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [eva, 'confirmed'],
        ],
      });
      await scanned(event, { user: petr.slug, scanned_at: at(5) });
      expect((await jana.api.delete(manualPath(event, petr))).body.data.checked_in_at).toBeNull();
      // An undo is stored even if there is no earlier check-in.
      await jana.api.delete(manualPath(event, eva));
      expect(
        await scanned(
          event,
          { user: petr.slug, scanned_at: at(5) },
          { user: petr.slug, scanned_at: at(9) },
          { user: eva.slug, scanned_at: at(9) },
        ),
      ).toEqual(['undone', 'undone', 'undone']);
      server.clock.forward(2000);
      const later = `${server.clock.now().toISOString().slice(0, 19)}Z`;
      expect(await scanned(event, { user: petr.slug, scanned_at: later })).toEqual(['checked_in']);
      expect(await checkedInAt(event, petr)).toBe(later);
      // A device whose clock is ahead must not prevent a manual undo.
      await scanned(event, { user: petr.slug, scanned_at: new Date(Date.parse(later) + 120_000).toISOString() });
      expect((await jana.api.delete(manualPath(event, petr))).body.data.checked_in_at).toBeNull();
      expect(await checkedInAt(event, petr)).toBeNull();
    });

    // DOOR-11
    it('applies manual check-ins and undos within the same second in their order', async () => {
      const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
      server.clock.moveTo(new Date(base + 600_000));
      for (let times = 0; times < 3; times++) {
        expect((await jana.api.put(manualPath(event, petr))).body).toMatchObject({
          data: { checked_in_at: expect.any(String) },
          meta: { already_checked_in: false },
        });
        expect((await jana.api.delete(manualPath(event, petr))).body.data.checked_in_at).toBeNull();
      }
      const last = (await jana.api.put(manualPath(event, petr))).body.data.checked_in_at;
      expect(await scanned(event, { user: petr.slug, scanned_at: at(1) })).toEqual(['already']);
      expect(await checkedInAt(event, petr)).toBe(last);
      expect(await scanned(event, { user: petr.slug, scanned_at: last, undo: true })).toEqual(['undone']);
    });

    // DOOR-11, DOOR-3
    it('treats a check-in from the time before the table door_marks existed as a manual check-in', async () => {
      const event = await buildEvent(server, jana);
      const before = new Date(base + 3_500);
      await server.database.transaction((tx) =>
        server.app
          .get(ParticipationCommands)
          .setParticipation(tx, event.eventId, petr.userId, { status: 'confirmed', checkedInAt: before }),
      );
      expect((await doorOf(event)).people[0].checked_in_at).toBe(at(3));
      expect(
        await scanned(
          event,
          { user: petr.slug, scanned_at: at(1) },
          { user: petr.slug, scanned_at: at(2), undo: true },
        ),
      ).toEqual(['already', 'already']);
      expect(await checkedInAt(event, petr)).toBe(at(3));
    });

    // DOOR-11, JOIN-32
    it('accepts a manual check-in in the same second as a check-in from the time before the table door_marks existed', async () => {
      const event = await buildEvent(server, jana);
      server.clock.freezeAt(new Date(base + 3_000));
      await server.database.transaction((tx) =>
        server.app.get(ParticipationCommands).setParticipation(tx, event.eventId, petr.userId, {
          status: 'confirmed',
          checkedInAt: new Date(base + 3_000),
        }),
      );
      expect((await jana.api.put(manualPath(event, petr))).body).toMatchObject({
        data: { checked_in_at: at(3) },
        meta: { already_checked_in: true },
      });
      expect((await jana.api.delete(manualPath(event, petr))).body.data.checked_in_at).toBeNull();
    });
  });

  // DOOR-13, JOIN-36
  it.each([
    ['leaving', (event: BuiltEvent) => petr.api.delete(`/events/${event.id}/join`)],
    ['removal', (event: BuiltEvent) => jana.api.delete(`/events/${event.id}/participants/${petr.slug}`)],
    ['ban', (event: BuiltEvent) => jana.api.delete(`/events/${event.id}/participants/${petr.slug}?ban=1`)],
  ])('deletes the stored scans and manual check-ins of a person after this action: %s', async (kind, remove) => {
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const code = await codeOf(petr, event);
    await scanned(event, { user: petr.slug, scanned_at: at(5) }, { user: petr.slug, scanned_at: at(400), undo: true });
    await jana.api.put(manualPath(event, petr));
    await remove(event);
    expect(await server.sql('SELECT 1 FROM door_marks WHERE event_id = $1', [event.eventId])).toEqual([]);
    expect(await scanned(event, { code }, { user: petr.slug })).toEqual(['not_found', 'not_participant']);
    if (kind === 'ban') await jana.api.delete(`/events/${event.id}/participants/${petr.slug}`);
    await petr.api.post(`/events/${event.id}/join`);
    expect(await checkedInAt(event, petr)).toBeNull();
    expect(await scanned(event, { code }, { code: await codeOf(petr, event), scanned_at: at(6) })).toEqual([
      'not_found',
      'checked_in',
    ]);
  });

  // DOOR-12, JOIN-35
  it('allows no undo if credits were paid, and releases the credits only once', async () => {
    const people = await crowd(server, 6);
    const event = await buildEvent(server, jana, { editorial: { ticketPriceCredits: 10 } });
    await server.database.transaction(async (tx) => {
      for (const { userId } of people) {
        await server.app.get(CreditsCommands).grant(tx, userId, 10);
        await server.app
          .get(ParticipationCommands)
          .setParticipation(tx, event.eventId, userId, { status: 'confirmed', checkedInAt: null, paidCredits: 10 });
      }
    });
    const script = [
      { scanned_at: at(1) },
      { scanned_at: at(3) },
      { scanned_at: at(2), undo: true },
      { scanned_at: at(5), undo: true },
    ];
    for (let turn = 0; turn < script.length + 2; turn++) {
      const scans = people.map(({ slug }, i) => ({ user: slug, ...script[(i + turn) % script.length] }));
      await Promise.all([scans.slice(0, 3), scans.slice(2)].map((part, i) => send(event, part, `d${i}`)));
    }
    expect(Object.values(await checkInTimes(event))).toEqual(Array(6).fill(at(1)));
    expect(await server.app.get(CreditsReader).creditsOf(server.database, jana.userId)).toEqual({
      balance: 60,
      held: 0,
    });
    expect(await scanned(event, { user: people[0]!.slug, scanned_at: at(9), undo: true })).toEqual(['already']);
    expect((await jana.api.delete(manualPath(event, people[0]!))).body.code).toBe('conflict');
  });

  // DOOR-9, DOOR-10
  it('calculates check-ins only from the times of the scans, even if three devices repeat scans and send them in any order and in parallel', async () => {
    const people = await crowd(server, 30);
    const organizer = await server.person('organizer');
    const devices = ['jedna', 'dva', 'tři'];
    for (let round = 0; round < repetitions('door_crowds'); round++) {
      const draw = seededRandom(1 + round);
      const drawInteger = (below: number): number => Math.floor(draw() * below);
      const event = await buildEvent(server, organizer, { with: people.map((who) => [who, 'confirmed'] as const) });
      const scripts = people.map(() =>
        Array.from({ length: 3 + drawInteger(5) }, () => ({
          second: drawInteger(9),
          undo: draw() < 0.35,
          device: drawInteger(3),
        })),
      );
      const scans = people.flatMap(({ slug }, i) =>
        scripts[i]!.map(({ second, undo, device }) => ({
          device,
          scan: { user: slug, scanned_at: at(second), ...(undo && { undo }) },
        })),
      );
      const shuffled = [...scans, ...scans.filter(() => draw() < 0.5)]
        .map((one) => ({ one, key: draw() }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const requests = devices.flatMap((device, d) => {
        const own = shuffled.filter((one) => one.device === d).map(({ scan }) => scan);
        const middle = drawInteger(own.length);
        return [own.slice(0, middle), own.slice(middle), own.slice(0, 20)]
          .filter(({ length }) => length > 0)
          .map((scans) => [device, scans] as const);
      });
      const answers = await Promise.all(requests.map(([device, scans]) => send(event, scans, device, organizer)));
      expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
      const times = await checkInTimes(event, organizer);
      for (const [i, { slug }] of people.entries()) {
        const undone = Math.max(-1, ...scripts[i]!.filter(({ undo }) => undo).map(({ second }) => second));
        const remaining = scripts[i]!.filter(({ undo, second }) => !undo && second > undone).map(
          ({ second }) => second,
        );
        expect([round, slug, times[slug]]).toEqual([
          round,
          slug,
          remaining.length === 0 ? null : at(Math.min(...remaining)),
        ]);
      }
      const { people: listedPeople } = (await organizer.api.get(`/events/${event.id}/door`)).body.data;
      expect(
        Object.fromEntries(
          listedPeople.map((one: { user: { slug: string }; checked_in_at: string | null }) => [
            one.user.slug,
            one.checked_in_at,
          ]),
        ),
      ).toEqual(times);
    }
  }, 120_000);
});
