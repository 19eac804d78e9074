import { LIMITS } from '#contract/limits';
import { buildEvent } from '#testing/builders';
import { changeWhileWaiting } from '#testing/held-lock';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays, soon } from '#testing/times';

/** docs/rules/events.md: GET, PATCH and DELETE of the organizer’s events. */
describe('requests for events of the caller', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  describe('GET /events', () => {
    // EVT-25, EVT-26
    it('lists the scope "upcoming" with the earliest start first, and the other scopes with the latest start first', async () => {
      const organizer = await server.person('organizer');
      const make = (title: string, days: number) => buildEvent(server, organizer, { title, starts_at: inDays(days) });
      await make('za týden', 7);
      await make('zítra', 1);
      await make('včera', -1);
      await make('předevčírem', -2);
      const cancelled = await make('zrušená', 3);
      await organizer.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
      const titles = async (query: string) =>
        (await organizer.api.get(`/events${query}`)).body.data.map((event: { title: string }) => event.title);
      expect(await titles('')).toEqual(['za týden', 'zrušená', 'zítra', 'včera', 'předevčírem']);
      expect(await titles('?scope=upcoming')).toEqual(['zítra', 'za týden']);
      expect(await titles('?scope=past')).toEqual(['zrušená', 'včera', 'předevčírem']);
      expect(await titles('?relation=joined')).toEqual([]);
    });

    // EVT-16
    it('treats an event as past after its end, or six hours after its start if it has no end', async () => {
      const organizer = await server.person('organizer');
      const ago = (seconds: number) => new Date(server.clock.now().getTime() - seconds * 1000);
      const { over_after_start: sixHours } = LIMITS.events;
      await buildEvent(server, organizer, { title: 'dlouhá', starts_at: ago(2 * sixHours), ends_at: inDays(1) });
      await buildEvent(server, organizer, { title: 'ještě trvá', starts_at: ago(sixHours - 60) });
      await buildEvent(server, organizer, { title: 'krátká', starts_at: ago(60), ends_at: ago(0) });
      await buildEvent(server, organizer, { title: 'skončila', starts_at: ago(sixHours) });
      const titles = async (scope: string) =>
        (await organizer.api.get(`/events?scope=${scope}`)).body.data.map((event: { title: string }) => event.title);
      expect([await titles('upcoming'), await titles('past')]).toEqual([
        ['dlouhá', 'ještě trvá'],
        ['krátká', 'skončila'],
      ]);
    });

    // EVT-14
    it('shows to organizers and participants that an event is boosted, until the exact end of the boost', async () => {
      const organizer = await server.person('organizer');
      const build = (boostedUntil: Date | null) =>
        buildEvent(server, organizer, { editorial: { boostedUntil }, with: [[petr, 'confirmed']] });
      const [tomorrow, yesterday, never] = [await build(inDays(1)), await build(inDays(-1)), await build(null)];
      const end = new Date(server.clock.now().getTime() + 3_600_000);
      const short = await build(end);
      const shown = async (person: Person, path: string) => {
        const { data } = (await person.api.get(path)).body as { data: { id: string; is_boosted: boolean }[] };
        return [tomorrow, yesterday, never, short].map(({ id }) => data.find((event) => event.id === id)?.is_boosted);
      };
      const everywhere = async () => [
        await shown(organizer, '/events'),
        await shown(petr, '/events?relation=joined'),
        (await organizer.api.get(`/events/${short.id}`)).body.data.is_boosted,
      ];
      server.clock.freezeAt(new Date(end.getTime() - 1));
      expect(await everywhere()).toEqual([[true, false, false, true], [true, false, false, true], true]);
      server.clock.freezeAt(end);
      expect(await everywhere()).toEqual([[true, false, false, false], [true, false, false, false], false]);
    });

    // WIRE-25, WIRE-26
    it('returns pages whose links contain all query parameters of the request', async () => {
      const organizer = await server.person('organizer');
      for (let i = 1; i <= 5; i++) await buildEvent(server, organizer, { title: `akce ${i}`, starts_at: inDays(i) });
      const { body } = await organizer.api.get('/events?scope=upcoming&per_page=2&page=2');
      expect(body.data.map((event: { title: string }) => event.title)).toEqual(['akce 3', 'akce 4']);
      const path = 'http://127.0.0.1:3000/api/v1/events';
      expect(body.links).toEqual({
        first: `${path}?scope=upcoming&per_page=2&page=1`,
        last: `${path}?scope=upcoming&per_page=2&page=3`,
        prev: `${path}?scope=upcoming&per_page=2&page=1`,
        next: `${path}?scope=upcoming&per_page=2&page=3`,
      });
      expect(body.meta).toEqual({ current_page: 2, from: 3, last_page: 3, path, per_page: 2, to: 4, total: 5 });
      const unusual = await organizer.api.get('/events?pag%65=2&per_page=2&x=%20');
      expect(unusual.body.links.next).toBe(`${path}?per_page=2&x=%20&page=3`);
      const beyond = await organizer.api.get('/events?page=99999999999');
      expect(beyond.body.data).toEqual([]);
      expect(beyond.body.meta).toMatchObject({ from: null, to: null, total: 5, last_page: 1 });
    });

    // EVT-27, WIRE-25
    it.each(['page=0', 'per_page=0', 'per_page=101', 'per_page=x', 'scope=now', 'relation=owned'])(
      'refuses %s',
      async (query) => {
        expect((await jana.api.get(`/events?${query}`)).body.code).toBe('validation_failed');
      },
    );
  });

  describe('GET /events/{id}', () => {
    // WIRE-2
    it('accepts the hashid and the numeric id', async () => {
      const event = await buildEvent(server, jana);
      expect((await jana.api.get(`/events/${event.eventId}`)).body).toEqual(
        (await jana.api.get(`/events/${event.id}`)).body,
      );
    });

    // EVT-22, EVT-23, EVT-24, ACC-12
    it('answers 403 to people who see the event but do not organize it, and 404 to people who do not see it', async () => {
      const publicEvent = await buildEvent(server, jana);
      const hidden = await buildEvent(server, jana, { is_public: false });
      expect((await petr.api.get(`/events/${publicEvent.id}`)).body.code).toBe('forbidden');
      const answer = await petr.api.get(`/events/${hidden.id}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe((await petr.api.get('/events/nowhereatall')).text);
      const invited = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
      expect((await petr.api.get(`/events/${invited.id}`)).status).toBe(403);
      const banned = await buildEvent(server, jana, { with: [[petr, 'banned']] });
      expect((await petr.api.get(`/events/${banned.id}`)).body.code).toBe('banned');
    });
  });

  describe('PATCH /events/{id}', () => {
    // WIRE-23
    it('changes only the fields in the body, and clears a field that is null', async () => {
      const event = await buildEvent(server, jana, { title: 'Staré', location_name: 'Park', max_participants: 5 });
      const { body, status } = await jana.api.patch(`/events/${event.id}`, { title: 'Nové', location_name: null });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ title: 'Nové', location_name: null, max_participants: 5 });
    });

    it('sets updated_at to the time of the change', async () => {
      const { id } = await buildEvent(server, jana);
      const later = new Date(Math.ceil(Date.now() / 1000) * 1000 + 90_000);
      server.clock.freezeAt(later);
      expect((await jana.api.patch(`/events/${id}`, { title: 'Jindy' })).body.data.updated_at).toBe(
        `${later.toISOString().slice(0, -5)}Z`,
      );
    });

    // EVT-4, EVT-6, EVT-7, WIRE-23
    it('validates the changed event as a whole, not only the fields in the body', async () => {
      const event = await buildEvent(server, jana, {
        starts_at: inDays(5),
        ends_at: inDays(6),
        latitude: 50,
        longitude: 14,
        max_participants: 5,
        with: [[petr, 'confirmed']],
      });
      const fields = async (changes: Record<string, unknown>) =>
        Object.keys((await jana.api.patch(`/events/${event.id}`, changes)).body.errors ?? {});
      expect(await fields({ starts_at: soon(8) })).toEqual(['ends_at']);
      expect(await fields({ latitude: null })).toEqual(['latitude']);
      expect(await fields({ join_mode: 'password' })).toEqual(['join_password']);
      expect(await fields({ title: null })).toEqual(['title']);
      expect(await fields({ is_public: null })).toEqual(['is_public']);
      expect(await fields({ latitude: 49.5 })).toEqual([]);
      await server.sql('UPDATE events SET confirmed_count = 3 WHERE id = $1', [event.eventId]);
      expect(await fields({ max_participants: 3 })).toEqual(['max_participants']);
      expect(await fields({ max_participants: 4 })).toEqual([]);
    });

    // EVT-11
    it('refuses a change to join mode "request" while a person is on the waitlist', async () => {
      const { petr: waiting } = await server.people('petr');
      const { id } = await buildEvent(server, jana, { with: [[waiting, 'waitlisted']] });
      const before = (await jana.api.get(`/events/${id}`)).body;
      const refused = await jana.api.patch(`/events/${id}`, { title: 'Jinak', join_mode: 'request' });
      expect({ status: refused.status, fields: Object.keys(refused.body.errors ?? {}) }).toEqual({
        status: 422,
        fields: ['join_mode'],
      });
      expect((await jana.api.get(`/events/${id}`)).body).toEqual(before);
      await waiting.api.delete(`/events/${id}/join`);
      expect((await jana.api.patch(`/events/${id}`, { join_mode: 'request' })).body.data?.join_mode).toBe('request');
    });

    // EVT-11
    it('accepts a change of an event that already has join mode "request" and people on the waitlist', async () => {
      const { petr: waiting } = await server.people('petr');
      const { id } = await buildEvent(server, jana, { join_mode: 'request', with: [[waiting, 'waitlisted']] });
      expect((await jana.api.patch(`/events/${id}`, { title: 'Jinak', join_mode: 'request' })).status).toBe(200);
    });

    // EVT-9
    it('removes the join password when the join mode changes', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'password', join_password: 'heslo' });
      expect((await jana.api.patch(`/events/${event.id}`, { title: 'Pořád heslo' })).body.data.join_password).toBe(
        'heslo',
      );
      expect((await jana.api.patch(`/events/${event.id}`, { join_mode: 'open' })).body.data.join_password).toBeNull();
      expect((await jana.api.patch(`/events/${event.id}`, { join_mode: 'password' })).status).toBe(422);
    });

    // EVT-21
    it('can cancel an event with confirmed participants, but the event cannot be deleted until they have left', async () => {
      const { petr: confirmed } = await server.people('petr');
      const event = await buildEvent(server, jana, { with: [[confirmed, 'confirmed']] });
      await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
      const refused = await jana.api.delete(`/events/${event.id}`);
      expect([refused.status, refused.body?.code]).toEqual([409, 'conflict']);
      await confirmed.api.delete(`/events/${event.id}/join`);
      expect((await jana.api.delete(`/events/${event.id}`)).status).toBe(204);
    });

    // EVT-19
    it('cancels an event permanently, but still changes other fields of a cancelled event', async () => {
      const event = await buildEvent(server, jana);
      for (let i = 0; i < 2; i++)
        expect((await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' })).body.data.status).toBe(
          'cancelled',
        );
      const refused = await jana.api.patch(`/events/${event.id}`, { status: 'active', title: 'Zpátky' });
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
      expect((await jana.api.patch(`/events/${event.id}`, { status: 'active', age_min: 30, age_max: 20 })).status).toBe(
        422,
      );
      expect((await jana.api.get(`/events/${event.id}`)).body.data.title).toBe('Piknik ve Stromovce');
      const renamed = await jana.api.patch(`/events/${event.id}`, { title: 'Zrušeno kvůli dešti' });
      expect(renamed.body.data).toMatchObject({ status: 'cancelled', title: 'Zrušeno kvůli dešti' });
    });

    // EVT-22, WIRE-37
    it('checks whether the caller sees and organizes the event before it checks the body', async () => {
      const publicEvent = await buildEvent(server, jana);
      const hidden = await buildEvent(server, jana, { is_public: false });
      expect((await petr.api.patch(`/events/${publicEvent.id}`, { title: 1 })).status).toBe(403);
      expect((await petr.api.patch(`/events/${hidden.id}`, { title: 1 })).status).toBe(404);
      expect((await jana.api.patch(`/events/${publicEvent.id}`, { title: 1 })).status).toBe(422);
    });

    // EVT-22, DATA-15
    it('changes nothing if another person becomes the organizer while the request waits for the lock of the event', async () => {
      const { id, eventId } = await buildEvent(server, jana, { title: 'Piknik' });
      const { status } = await changeWhileWaiting(
        server,
        ['all_events', eventId],
        () => jana.api.patch(`/events/${id}`, { title: 'Výlet' }),
        () => server.sql('UPDATE all_events SET organizer_id = $2 WHERE id = $1', [eventId, petr.userId]),
      );
      expect(status).toBe(404);
      expect((await petr.api.get(`/events/${id}`)).body.data.title).toBe('Piknik');
    });
  });

  describe('DELETE /events/{id}', () => {
    // EVT-21
    it('deletes an event only if it has no confirmed participants', async () => {
      const event = await buildEvent(server, jana, { with: [[petr, 'pending']] });
      expect((await petr.api.delete(`/events/${event.id}`)).status).toBe(403);
      expect((await jana.api.delete(`/events/${event.id}`)).status).toBe(204);
      expect((await jana.api.get(`/events/${event.id}`)).status).toBe(404);
      const joined = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
      const refused = await jana.api.delete(`/events/${joined.id}`);
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    });
  });
});
