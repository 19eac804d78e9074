import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays, WIRE_TIME } from '#testing/times';

const pathOf = ({ id }: BuiltEvent) => `/events/${id}/itinerary`;
const EMPTY_STOP = {
  title: null,
  notes: null,
  location_name: null,
  latitude: null,
  longitude: null,
  duration_minutes: null,
};

describe('the itinerary', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person, ota: Person;
  let trip: BuiltEvent;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva, ota } = await server.people('jana', 'petr', 'eva', 'ota'));
  });
  beforeEach(
    async () =>
      (trip = await buildEvent(server, jana, {
        with: [
          [petr, 'confirmed'],
          [ota, 'banned'],
        ],
      })),
  );
  afterAll(() => server.stop());

  const plan = (overrides: Record<string, unknown> = {}) => ({
    title: 'Přes hřebeny',
    stops: [{ title: 'Sraz' }],
    ...overrides,
  });
  const invalidFields = async (overrides: Record<string, unknown>) => {
    const { status, body } = await jana.api.put(pathOf(trip), plan(overrides));
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    return Object.keys(body.errors as object);
  };

  // PLAN-2, PLAN-3
  it('is created by the first PUT, and replaced by the next', async () => {
    const stops = [
      {
        title: 'Sraz',
        notes: 'U pokladen',
        location_name: 'Hlavní nádraží',
        latitude: 50.083,
        longitude: 14.4353,
        duration_minutes: 30,
      },
      { title: 'Bouda', duration_minutes: 720 },
    ];
    const created = await jana.api.put(pathOf(trip), {
      title: '  Přes hřebeny ',
      description: '5 < 6 & 7',
      is_public: true,
      stops,
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      data: {
        title: 'Přes hřebeny',
        description: '5 < 6 & 7',
        is_public: true,
        url: `http://127.0.0.1:3000/events/${trip.id}/itinerary`,
        stops: [
          { position: 1, ...stops[0] },
          { position: 2, ...EMPTY_STOP, ...stops[1] },
        ],
        created_at: expect.stringMatching(WIRE_TIME),
        updated_at: created.body.data.created_at,
      },
    });
    expect((await petr.api.get(pathOf(trip))).body).toEqual(created.body);

    server.clock.forward(60_000);
    const replaced = await jana.api.put(pathOf(trip), plan());
    expect(replaced.status).toBe(200);
    expect(replaced.body.data).toMatchObject({
      description: null,
      is_public: false,
      url: null,
      stops: [{ position: 1, ...EMPTY_STOP, title: 'Sraz' }],
    });
    expect(replaced.body.data.created_at).toBe(created.body.data.created_at);
    expect(replaced.body.data.updated_at).not.toBe(created.body.data.updated_at);
    expect((await petr.api.get(pathOf(trip))).body).toEqual(replaced.body);
  });

  // PLAN-1, PLAN-3
  it('stores 50 stops in the given order, and is refused with 51 stops', async () => {
    const titles = Array.from({ length: 50 }, (_, i) => `Bod ${(i * 37) % 50}`);
    await jana.api.put(pathOf(trip), plan({ stops: titles.map((title) => ({ title })) }));
    const { data } = (await petr.api.get(pathOf(trip))).body;
    expect(data.stops.map((stop: { title: string }) => stop.title)).toEqual(titles);
    expect(await invalidFields({ stops: Array(51).fill({ title: 'x' }) })).toEqual(['stops']);
  });

  it.each([
    ['title', { title: 'ab' }],
    ['title', { title: 'x'.repeat(121) }],
    ['title', { title: null }],
    ['description', { description: 'x'.repeat(2001) }],
    ['is_public', { is_public: null }],
    ['is_public', { is_public: 'true' }],
    ['stops', { stops: [] }],
    ['stops', { stops: null }],
    ['stops', { stops: undefined }],
    ['stops', { stops: {} }],
    ['stops.1', { stops: [{ title: 'a' }, null] }],
    ['stops.0.title', { stops: [{ title: 'x'.repeat(121) }] }],
    ['stops.0.notes', { stops: [{ notes: 'x'.repeat(501) }] }],
    ['stops.0.location_name', { stops: [{ location_name: 'x'.repeat(121) }] }],
    ['stops.0.duration_minutes', { stops: [{ duration_minutes: 0 }] }],
    ['stops.0.duration_minutes', { stops: [{ duration_minutes: 1441 }] }],
    ['stops.1.longitude', { stops: [{}, { latitude: 50 }] }],
    ['stops.1.latitude', { stops: [{}, { latitude: null, longitude: 14 }] }],
    ['stops.0.latitude', { stops: [{ latitude: 90.1, longitude: 14 }] }],
  ])('is refused with 422 if this field is invalid: %s', async (field, overrides) => {
    expect(await invalidFields(overrides)).toEqual([field]);
    expect((await jana.api.get(pathOf(trip))).status).toBe(404);
  });

  // PLAN-1
  it('accepts texts of the maximum length, the shortest and the longest duration, and stops without any field', async () => {
    const stop = { title: 'x'.repeat(120), notes: 'x'.repeat(500), location_name: 'x'.repeat(120) };
    const stops = [
      { ...stop, duration_minutes: 1, latitude: 90, longitude: -180 },
      { ...stop, duration_minutes: 1440 },
      {},
    ];
    for (const title of ['abc', 'x'.repeat(120)]) {
      const { status, body } = await jana.api.put(pathOf(trip), { title, description: 'x'.repeat(2000), stops });
      expect([[200, 201].includes(status), body.data.title]).toEqual([true, title]);
      expect(body.data.stops).toEqual(stops.map((one, i) => ({ position: i + 1, ...EMPTY_STOP, ...one })));
    }
  });

  // PLAN-1, PLAN-3
  it('stores the coordinate 0 of stops on the equator and on the prime meridian', async () => {
    const stops = [
      { latitude: 0, longitude: 32.5 },
      { latitude: 51.48, longitude: 0 },
      { latitude: 0, longitude: 0 },
    ];
    const { status, body } = await jana.api.put(pathOf(trip), plan({ stops }));
    expect(status).toBe(201);
    expect(body.data.stops).toEqual(stops.map((one, i) => ({ position: i + 1, ...EMPTY_STOP, ...one })));
    expect((await petr.api.get(pathOf(trip))).body).toEqual(body);
    for (const [field, stop] of [
      ['longitude', { latitude: 0 }],
      ['latitude', { longitude: 0 }],
    ] as const)
      expect(await invalidFields({ stops: [stop] })).toEqual([`stops.0.${field}`]);
  });

  // PLAN-2
  it('does not change when a replacement is refused', async () => {
    await jana.api.put(pathOf(trip), plan({ stops: [{ title: 'A' }, { title: 'B' }] }));
    await invalidFields({ title: 'Nový', stops: [{ title: 'C' }, { duration_minutes: 0 }] });
    const { data } = (await jana.api.get(pathOf(trip))).body;
    expect([data.title, ...data.stops.map((stop: { title: string }) => stop.title)]).toEqual([
      'Přes hřebeny',
      'A',
      'B',
    ]);
  });

  // PLAN-2
  it('is created only once by parallel requests, and is then equal to one of the itineraries that were sent', async () => {
    const plans = Array.from({ length: 8 }, (_, i) =>
      plan({ title: `Plán ${i}`, stops: Array.from({ length: i + 1 }, () => ({ title: `${i}` })) }),
    );
    const answers = await Promise.all(plans.map((one) => jana.api.put(pathOf(trip), one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    const { data } = (await jana.api.get(pathOf(trip))).body;
    const number = Number(data.title.slice(5));
    expect(data.stops.map((stop: { title: string }) => stop.title)).toEqual(Array(number + 1).fill(String(number)));
  });

  // PLAN-5
  it('can be read by everyone who sees the event; only the organizer can write or delete it', async () => {
    await jana.api.put(pathOf(trip), plan());
    expect((await eva.api.get(pathOf(trip))).status).toBe(200);
    for (const person of [petr, eva]) {
      for (const answer of [
        await person.api.put(pathOf(trip), { title: 'ab' }),
        await person.api.delete(pathOf(trip)),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
      }
    }
    for (const answer of [
      await ota.api.get(pathOf(trip)),
      await ota.api.put(pathOf(trip), plan()),
      await ota.api.delete(pathOf(trip)),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'banned']);
    }
  });

  // PLAN-5
  it('of a private event is not visible to strangers, who get the same 404 as for an unknown event', async () => {
    const secret = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
    await jana.api.put(pathOf(secret), plan({ is_public: true }));
    expect((await petr.api.get(pathOf(secret))).status).toBe(200);
    expect((await petr.api.put(pathOf(secret), plan())).body.code).toBe('forbidden');
    const hidden = await eva.api.get(pathOf(secret));
    const unknown = await eva.api.get('/events/999999999/itinerary');
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
    for (const answer of [await eva.api.put(pathOf(secret), {}), await eva.api.delete(pathOf(secret))]) {
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
  });

  // PLAN-5
  it('can be created, replaced and deleted for a cancelled event and for a past event', async () => {
    const past = await buildEvent(server, jana, { starts_at: inDays(-20), ends_at: inDays(-19) });
    expect((await jana.api.patch(`/events/${trip.id}`, { status: 'cancelled' })).status).toBe(200);
    for (const event of [past, trip]) {
      expect((await jana.api.put(pathOf(event), plan())).status).toBe(201);
      expect((await jana.api.put(pathOf(event), plan({ title: 'Jinudy' }))).status).toBe(200);
      expect((await eva.api.get(pathOf(event))).body.data.title).toBe('Jinudy');
      expect((await jana.api.delete(pathOf(event))).status).toBe(204);
    }
  });

  // PLAN-6
  it('can be deleted and created again', async () => {
    expect((await jana.api.delete(pathOf(trip))).body).toEqual({ message: expect.any(String), code: 'not_found' });
    await jana.api.put(pathOf(trip), plan());
    const answer = await jana.api.delete(pathOf(trip));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await jana.api.get(pathOf(trip))).status).toBe(404);
    expect((await jana.api.put(pathOf(trip), plan())).status).toBe(201);
  });

  // PLAN-6
  it('is deleted with its event', async () => {
    const walk = await buildEvent(server, jana);
    await jana.api.put(pathOf(walk), plan());
    const stored = () => server.sql('SELECT 1 FROM itineraries WHERE event_id = $1', [walk.eventId]);
    expect(await stored()).toHaveLength(1);
    expect((await jana.api.delete(`/events/${walk.id}`)).status).toBe(204);
    expect(await stored()).toEqual([]);
  });
});
