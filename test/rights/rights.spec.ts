import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSALS, type RefusalCode } from '#contract/refusals';
import { PublicIds } from '#platform/http/public-ids';
import { RouteTable } from '#platform/http/routes';
import { buildEvent } from '#testing/builders';
import { browserOf } from '#testing/browsers';
import type { Answer } from '#testing/http-client';
import { InjectingClient } from '#testing/injected-get';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import type { Visitor } from '#testing/visitor';
import { belongingsOf, type Belongings, type Kind } from './belongings';
import { FORMS, OPERATIONS, type Refused, type Rights, type Whose, type World } from './rights';

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: unknown }>>;
};
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Tables that may change although a request is refused: the request log, the times of the last use of tokens and
 * sessions, counted attempts (join passwords, second step, comments), reserved idempotency keys, and job runs.
 */
const CHANGED_BY_REFUSALS = [
  'request_log',
  'tokens',
  'web_sessions',
  'wrong_passwords',
  'second_step_tries',
  'request_claims',
  'job_runs',
  'comment_rates',
];

/** The kind of object that a parameter of a path refers to. */
const PARAMETERS: Readonly<Record<string, Kind>> = {
  '/events/{id}': 'event',
  '/discover/events/{id}': 'event',
  '/groups/{id}': 'group',
  '/series/{id}': 'series',
  '/posts/{slug}': 'post',
  '/comments/{id}': 'comment',
  '/puls/{id}': 'puls',
  '/webhooks/{id}': 'webhook',
  '/images/{imageId}': 'image',
  '/photos/{photoId}': 'photo',
  '/expenses/{expenseId}': 'expense',
  '/payments/{paymentId}': 'payment',
  '/tickets/{code}': 'ticket',
  '/links/{linkId}': 'doorLink',
  '/participants/{slug}': 'participant',
  '/members/{slug}': 'member',
  '/events/{eventId}': 'event',
  '/deliveries/{deliveryId}': 'delivery',
  '/members/{slug}/approve': 'requester',
  '/participants/{slug}/promote': 'waitlisted',
};

/**
 * A person who knows the id or code of another person's object gets only the access that the rules allow. The tables of
 * rights.ts define requests with such ids and codes for the operations of the OpenAPI document and the forms of the
 * pages, or the reason why an operation or form needs no such request. The response must be the refusal in the table,
 * and the database must not change.
 */
describe('access to objects of another person', () => {
  let server: TestServer;
  let stranger: Person;
  let browser: Visitor;
  let world: World;

  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
    const people = await server.people('owner', 'stranger');
    const { owner } = people;
    stranger = people.stranger;
    const [own, seen, hidden] = [
      await belongingsOf(server, stranger, { isPublic: true, puls: true }),
      await belongingsOf(server, owner, { isPublic: true, puls: true }),
      await belongingsOf(server, owner, { isPublic: false, puls: false }),
    ];
    world = { own, seen, hidden, owner, stranger, accountObjects: await createAccountObjects(owner) };
    browser = await browserOf(server, stranger);
  }, 60_000);
  afterAll(() => server.stop());

  /** Creates objects of the owner's account. The stranger must not be able to change them. */
  async function createAccountObjects(owner: Person): Promise<World['accountObjects']> {
    await browserOf(server, owner);
    const { id: reported } = await buildEvent(server, stranger);
    const report = (await owner.api.post('/reports', { subject_type: 'event', subject_id: reported, reason: 'spam' }))
      .body.data.id as string;

    const encode = (kind: 'token' | 'decision' | 'passkey', id: number) => server.app.get(PublicIds).encode(kind, id);
    const idOf = async (sql: string): Promise<string> => (await server.sql<{ id: string }>(sql, [owner.userId]))[0]!.id;
    const decision = await idOf(
      `INSERT INTO moderation_decisions (subject_type, subject_id, subject_sent, snapshot, author_id, action, reason,
         decided_at, objection_hash)
       VALUES ('user', $1, 'x', '{}', $1, 'warn', 'spam', now(), 'hash') RETURNING id`,
    );
    const objectedDecision = await idOf(
      `INSERT INTO moderation_decisions (subject_type, subject_id, subject_sent, snapshot, author_id, action, reason,
         decided_at, objection, objected_at)
       VALUES ('user', $1, 'x', '{}', $1, 'warn', 'spam', now(), 'ne', now()) RETURNING id`,
    );
    const passkey = await idOf(
      `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
       VALUES ($1, 'c', 'key', 0, ARRAY['usb'], 'x', now()) RETURNING id`,
    );
    const push = await idOf(
      `INSERT INTO push_subscriptions (id, user_id, session_id, endpoint_hash, subscription_sealed, host, name,
         created_at)
       VALUES (gen_random_uuid(), $1, gen_random_uuid(), repeat('0', 64), 'sealed', 'x', 'x', now()) RETURNING id`,
    );
    return {
      push,
      token: encode('token', Number(await idOf('SELECT id FROM tokens WHERE user_id = $1'))),
      session: await idOf('SELECT id FROM web_sessions WHERE user_id = $1'),
      passkey: encode('passkey', Number(passkey)),
      decision: encode('decision', Number(decision)),
      objectedDecision: encode('decision', Number(objectedDecision)),
      report,
    };
  }

  /**
   * The last digest. Only refused requests are sent between two tests, so the digest at the end of a test is also the
   * digest at the beginning of the next test.
   */
  let lastDigest: Record<string, string | null> | null = null;
  const digestBefore = async () => lastDigest ?? digest();

  /** A digest of all rows of each table, except the tables of CHANGED_BY_REFUSALS. */
  async function digest(): Promise<Record<string, string | null>> {
    const rows = await server.sql<{ name: string; digest: string | null }>(await digestStatement());
    return Object.fromEntries(rows.map(({ name, digest: value }) => [name, value]));
  }

  /** Returns the SQL statement that calculates the digests. */
  async function digestStatement(): Promise<string> {
    const tables = await server.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relname <> ALL ($1) ORDER BY 1`,
      [CHANGED_BY_REFUSALS],
    );
    return tables
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name,
                  (SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM "${name}" t) AS digest`,
      )
      .join(' UNION ALL ');
  }

  const documented = (): string[] =>
    Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      METHODS.filter((method) => operations[method] && (path.includes('{') || operations[method].requestBody)).map(
        (method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      ),
    );
  const forms = (): string[] =>
    server.app
      .get(RouteTable)
      .list()
      .filter(({ method, url }) => method === 'POST' && !url.startsWith('/api/'))
      .map(({ url }) => url);

  it('is described in rights.ts for every operation that has an id or a body, and for every form', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual(documented().sort());
    expect(Object.keys(FORMS).sort()).toEqual(forms().sort());
  });

  /** Returns the operation's path. The first id in the path belongs to `outer`, and the second id to `inner`. */
  function pathOf(operation: string, outer: Belongings, inner: Belongings): string {
    let source = outer;
    return (operation.split(' ')[1] as string).replace(
      /((?:\/discover)?\/[a-z-]+)\/\{(\w+)\}(\/approve|\/promote)?/g,
      (segment, path: string, name: string, action = '') => {
        const kind = PARAMETERS[`${path}/{${name}}${action as string}`];
        if (kind === undefined) throw new Error(`${operation}: add the kind of ${segment} to PARAMETERS`);
        const segmentWithId = `${path}/${source[kind]}${action as string}`;
        source = inner;
        return segmentWithId;
      },
    );
  }

  /** Returns the content of a request: a form with a file, no content for GET, or a JSON body. */
  function contentOf(method: string, { form, json }: Rights): { body?: FormData; json?: Record<string, unknown> } {
    if (form) {
      const body = new FormData();
      body.append(form, new Blob(['x']), 'x.jpg');
      return { body };
    }
    return method === 'GET' || (method === 'DELETE' && !json) ? {} : { json: json?.(world) ?? {} };
  }

  function expectRefusal(request: string, answer: Answer | { status: number }, expected: Refused): void {
    const body = 'body' in answer ? answer.body : null;
    const code = typeof expected === 'number' ? null : (expected.split(' on ')[0] as RefusalCode);
    const field = typeof expected === 'number' ? undefined : expected.split(' on ')[1];
    expect([request, answer.status, code && body?.code, ...(field ? Object.keys(body?.errors ?? {}) : [])]).toEqual([
      request,
      code ? REFUSALS[code].status : expected,
      code,
      ...(field ? [field] : []),
    ]);
  }

  const WHOSE: readonly Whose[] = ['own', 'seen', 'hidden'];
  const testedOperations = Object.entries(OPERATIONS).filter(
    (entry): entry is [string, Rights] => typeof entry[1] !== 'string',
  );

  it.each(testedOperations)('is refused by the API operation %s', async (operation, rights) => {
    const [method] = operation.split(' ') as [string];
    const api = new InjectingClient(server, stranger.token);
    const before = await digestBefore();
    const hasTwoIds = (operation.match(/\{/g) ?? []).length > 1;
    for (const outer of operation.includes('{') ? WHOSE : [])
      for (const inner of hasTwoIds ? WHOSE : [outer]) {
        if (outer === 'own' && inner === 'own') continue;
        const expected = rights[`${outer}+${inner}`] ?? (outer === 'own' ? rights.inner : rights[outer]);
        if (expected === undefined)
          throw new Error(`${operation}: add the expected response for ${outer}+${inner} to rights.ts`);
        if (expected === 'allowed') continue;
        const path = pathOf(operation, world[outer], world[inner]);
        const answer = await api.send(method, path, contentOf(method, rights));
        expectRefusal(`${method} ${path} (${outer}+${inner})`, answer, expected);
      }
    for (const [path, json, expected] of rights.bodies?.(world) ?? []) {
      const answer = await stranger.api.send(method, path, { json });
      expectRefusal(`${method} ${path} ${JSON.stringify(json)}`, answer, expected);
      // The response to scans is 200 with a result for each scan. Each result must be `not_found`, because the codes in
      // this test belong to another event.
      if (expected === 200)
        expect(new Set((answer.body.data as { result: string }[]).map(({ result }) => result))).toEqual(
          new Set(['not_found']),
        );
    }
    lastDigest = await digest();
    expect(lastDigest).toEqual(before);
  });

  const testedForms = Object.entries(FORMS).filter(
    (entry): entry is [string, Exclude<(typeof entry)[1], string>] => typeof entry[1] !== 'string',
  );

  it.each(testedForms)('is refused by the form POST %s', async (_, attempts) => {
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/account')).html)?.[1] ?? '';
    const before = await digestBefore();
    for (const { path, fields = {}, status } of attempts(world)) {
      const page = await browser.post(path, { _csrf, ...fields });
      expectRefusal(`POST ${path}`, page, status);
    }
    lastDigest = await digest();
    expect(lastDigest).toEqual(before);
  });
});
