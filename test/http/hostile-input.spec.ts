import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildEvent, eventBody } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { seriesBody } from '#testing/series';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly fields: readonly string[];
  readonly multipart: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Record<string, unknown>;
}

interface OperationObject {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

interface OpenApi {
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

const REQUESTS = repetitions('hostile_requests');
const API = '/api/v1';
const FILE_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
};

/**
 * Returns every operation of the OpenAPI document with the names of its query parameters and of the fields of its body.
 * An operation whose body has two content types is returned twice.
 */
function operations(): Operation[] {
  const { paths, components } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as OpenApi;
  const fieldsOf = ({ $ref, properties }: Schema) =>
    Object.keys(properties ?? components.schemas[$ref?.split('/').pop() ?? '']?.properties ?? {});
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const operation = { method: method.toUpperCase(), path: path.slice(API.length), query };
      const bodies = Object.entries(requestBody?.content ?? { 'application/json': { schema: {} } });
      return bodies.map(([type, { schema }]) => ({
        ...operation,
        fields: fieldsOf(schema),
        multipart: type.startsWith('multipart'),
      }));
    }),
  );
}

const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\u0000b',
  '\u202e\u200b',
  '😀'.repeat(200),
  'x'.repeat(6000),
  "'; DROP TABLE events; --",
  '<script>alert(1)</script>',
  '%',
  '_',
  '\\',
  '${7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  'null',
  'NaN',
  '-1',
  '0',
  '1e400',
  '9'.repeat(40),
  '2026-02-30',
  '2031-05-01T10:00',
  '+1000000-01-01T00:00:00Z',
  '0000-00-00',
  'ﬃ',
  'İ',
  '\n\r\t',
];
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    1e21,
    1e308,
    2 ** 53,
    2 ** 31,
    5e-324,
    [],
    {},
    [null],
    [[]],
    { a: 1 },
    [{}],
    ['x', 'x'],
    Array(60).fill(1),
    { length: 5 },
  ),
);

describe('a request with random hostile input', () => {
  let server: TestServer;
  let people: Person[];
  /** Valid values for many parameters and fields. Some requests contain such values and pass the first checks. */
  let validValues: Record<string, unknown[]>;
  let photo: Blob;

  beforeAll(async () => {
    server = await TestServer.start();
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    people = [jana, petr, eva];
    photo = new Blob([new Uint8Array(await picture('jpeg'))]);
    validValues = await createValidValues(jana, petr);
  });
  afterAll(() => server.stop());

  async function createValidValues(jana: Person, petr: Person): Promise<Record<string, unknown[]>> {
    const events = [
      await buildEvent(server, jana, { with: [[petr, 'confirmed']], photos_enabled: true }),
      await buildEvent(server, jana, { join_mode: 'tickets' }),
      await buildEvent(server, jana, { join_mode: 'request', is_public: false, with: [[petr, 'requested']] }),
      await buildEvent(server, petr, { join_mode: 'password', join_password: 'heslo' }),
    ];
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const dataOf = async (answer: Promise<Answer>) => (await answer).body.data;
    const series = await dataOf(jana.api.post('/series', seriesBody()));
    const post = await dataOf(
      jana.api.post('/posts', { title: 'Cesta', categories: ['kolo'], body: 'Jeli jsme.', status: 'published' }),
    );
    const comment = await dataOf(jana.api.post(`/posts/${post.slug}/comments`, { body: 'Pěkné' }));
    const ticket = (await dataOf(jana.api.post(`/events/${events[1]?.id}/tickets`, { count: 1 })))[0];
    const shared = { title: 'Oběd', amount: 50, paid_by: jana.slug, shared_with: [jana.slug, petr.slug] };
    const expense = await dataOf(jana.api.post(`/events/${events[0]?.id}/expenses`, shared));
    const galleryPhoto = (await dataOf(jana.api.upload(`/events/${events[0]?.id}/photos`, [['photos[]', photo]])))[0];
    const image = (await dataOf(jana.api.upload(`/events/${events[0]?.id}/images`, [['images[]', photo]])))[0];
    return {
      id: [...events.map(({ id }) => id), String(events[0]?.eventId), group.id, series.id, comment.id],
      eventId: events.map(({ id }) => id),
      imageId: [image.id],
      expenseId: [expense.id],
      photoId: [galleryPhoto.id],
      code: [ticket.code],
      slug: [petr.slug, post.slug],
      ...Object.fromEntries(
        Object.entries({ ...seriesBody(), ...eventBody() }).map(([name, value]) => [name, [value]]),
      ),
      name: ['Turisti'],
      description: ['<b>Ahoj</b>'],
      user: [petr.slug],
      paid_by: [petr.slug],
      shared_with: [[jana.slug, petr.slug]],
      amount: [12.5],
      currency: ['CZK'],
      body: ['Text'],
      categories: [['kolo']],
      lat: [50],
      lng: [14],
      latitude: [50],
      longitude: [14],
      ends_at: [soon(8)],
      group: [group.id],
      event_id: [events[0]?.id],
      parent: [comment.id],
      password: ['heslo'],
      ticket_code: [ticket.code],
      count: [1],
      stops: [[{ title: 'Start' }]],
      page: [1],
      per_page: [5],
      q: ['piknik'],
      status: ['active', 'draft', 'confirmed'],
    };
  }

  const all = operations();
  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  const requests = fc.record({
    operation: fc.constantFrom(...all),
    who: fc.nat(2),
    /** Decides for each parameter and field whether it is missing, valid or hostile. */
    dice: fc.infiniteStream(fc.tuple(fc.nat(9), fc.nat(50), values)),
    /** In rare cases a text that is sent as the whole body; otherwise null. */
    raw: fc.oneof(
      { weight: 30, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom('{', '[]', '"x"', '\u0000', '{"title":"a","title":"b"}', '--x\r\n') },
    ),
  });

  // WIRE-24, WIRE-35
  it('gets a response in the documented format, and never an unexpected error', async () => {
    const statusCounts = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(requests, async ({ operation, who, dice, raw }) => {
        // Returns a hostile value if the roll (0 to 9) is at least `hostileFrom`. Otherwise returns a valid value, or
        // undefined if `validValues` has none.
        const draw = (name: string, hostileFrom: number): unknown => {
          const [roll, n, hostile] = dice.next().value;
          if (roll >= hostileFrom) return hostile;
          const known = validValues[name.replace('[]', '')];
          return known ? pick(known, n) : undefined;
        };
        const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(textOf(draw(name, 7))),
        );
        const query = operation.query
          .map((name) => [name, draw(name, 6)] as const)
          .filter(([, value]) => value !== undefined);
        const search = new URLSearchParams(
          query.map(([name, value]): [string, string] => [name, textOf(value)]),
        ).toString();
        const fields = operation.fields
          .map((name) => [name, draw(name, 7)] as const)
          .filter(([, value]) => value !== undefined);
        const { api } = pick(people, who);
        const target = search ? `${path}?${search}` : path;
        const send = (): Promise<Answer> => {
          const { method } = operation;
          if (raw !== null) {
            const body = { body: raw, headers: { 'content-type': 'application/json' } };
            return api.send(method, target, method === 'GET' ? {} : body);
          }
          if (operation.multipart)
            return api.upload(
              target,
              fields.map(([name, value]) => [name, isPicture(name) && value !== null ? photo : textOf(value)]),
              method,
            );
          return api.send(method, target, operation.fields.length > 0 ? { json: Object.fromEntries(fields) } : {});
        };
        const answer = await send();

        statusCounts.set(answer.status, (statusCounts.get(answer.status) ?? 0) + 1);
        if (answer.status >= 500)
          throw new Error(`${operation.method} ${target} ${JSON.stringify(fields)} → ${answer.status} ${answer.text}`);
        if (answer.status === 204) expect(answer.text).toBe('');
        else expect(answer.headers.get('content-type')).toBe(typeOf(operation.path, answer.status));
        if (answer.status >= 400)
          expect(answer.body).toMatchObject({
            message: expect.stringMatching(/./),
            code: expect.stringMatching(/^[a-z_]+$/),
          });
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    );
    // The status 200, and one of 201, 204 and 409, show that some requests passed the first checks; otherwise the test
    // would prove nothing. Only about 3 of 300 requests get 201, so any one of the three statuses is sufficient. The
    // other statuses show that each kind of refusal occurred.
    for (const group of [[200], [201, 204, 409], [403], [404], [422]])
      expect([group, group.filter((status) => statusCounts.has(status))]).not.toEqual([group, []]);
  }, 600_000);
});

/** Returns the expected content type: JSON, or the type of the file for a path that returns a file. */
function typeOf(path: string, status: number): string {
  const file = status === 200 ? FILE_TYPES[path.slice(path.lastIndexOf('.'))] : undefined;
  return file ?? 'application/json; charset=utf-8';
}

function isPicture(name: string): boolean {
  return /^(image|images\[\]|photos\[\]|cover|avatar|video)$/.test(name);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // A URL cannot contain half of a surrogate pair.
  return text.replace(/\p{Surrogate}/gu, '?');
}
