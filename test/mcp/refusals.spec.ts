import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { TOOLS } from '#apps/server/mcp/tools';
import { allows, NARROW_SCOPES, SCOPE_OF_OPERATION, type Scope } from '#contract/scopes';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

type Values = Readonly<Record<string, unknown>>;

/** The ids and the slug that Petr's requests contain. */
interface Ids {
  /** A public, full event of another person. */
  readonly full: string;
  /** A private event of another person. */
  readonly hidden: string;
  /** A public, cancelled event of another person. */
  readonly cancelled: string;
  /** An id that no event has. */
  readonly unknown: string;
  /** An event of Petr. */
  readonly own: string;
  /** The slug of the organizer of the first three events. */
  readonly organizer: string;
}

/**
 * The tool, its arguments, the method and path of the API request that corresponds to the call, the body of this
 * request, and the error code of both responses.
 */
type Case = readonly [string, (ids: Ids) => Values, (ids: Ids) => string, Values | null, string];

const CASES: readonly Case[] = [
  [
    'find_events',
    () => ({ date_from: 'soon' }),
    () => 'GET /discover/events?date_from=soon',
    null,
    'validation_failed',
  ],
  [
    'show_event',
    ({ unknown }) => ({ id: unknown }),
    ({ unknown }) => `GET /discover/events/${unknown}`,
    null,
    'not_found',
  ],
  ['show_event', ({ hidden }) => ({ id: hidden }), ({ hidden }) => `GET /discover/events/${hidden}`, null, 'not_found'],
  ['my_events', () => ({ relation: 'none' }), () => 'GET /events?relation=none', null, 'validation_failed'],
  ['join_event', ({ full }) => ({ id: full }), ({ full }) => `POST /events/${full}/join`, {}, 'event_full'],
  [
    'join_event',
    ({ cancelled }) => ({ id: cancelled }),
    ({ cancelled }) => `POST /events/${cancelled}/join`,
    {},
    'cannot_join',
  ],
  ['join_event', ({ hidden }) => ({ id: hidden }), ({ hidden }) => `POST /events/${hidden}/join`, {}, 'cannot_join'],
  ['leave_event', ({ full }) => ({ id: full }), ({ full }) => `DELETE /events/${full}/join`, null, 'not_participant'],
  [
    'create_event',
    () => ({ title: '', starts_at: 'soon' }),
    () => 'POST /events',
    { title: '', starts_at: 'soon' },
    'validation_failed',
  ],
  [
    'change_event',
    ({ full }) => ({ id: full, title: 'Mine' }),
    ({ full }) => `PATCH /events/${full}`,
    { title: 'Mine' },
    'forbidden',
  ],
  [
    'cancel_event',
    ({ full }) => ({ id: full }),
    ({ full }) => `PATCH /events/${full}`,
    { status: 'cancelled' },
    'forbidden',
  ],
  [
    'event_people',
    ({ hidden }) => ({ id: hidden }),
    ({ hidden }) => `GET /events/${hidden}/participants`,
    null,
    'not_found',
  ],
  [
    'manage_people',
    ({ full, organizer }) => ({ id: full, action: 'invite', user: organizer }),
    ({ full }) => `POST /events/${full}/participants`,
    { user: '{organizer}' },
    'forbidden',
  ],
  [
    'manage_people',
    ({ own, organizer }) => ({ id: own, action: 'approve', user: organizer }),
    ({ own, organizer }) => `POST /events/${own}/participants/${organizer}/promote`,
    {},
    'not_participant',
  ],
  [
    'manage_people',
    ({ own, organizer }) => ({ id: own, action: 'remove', user: organizer }),
    ({ own, organizer }) => `DELETE /events/${own}/participants/${organizer}`,
    null,
    'not_participant',
  ],
  [
    'check_in',
    ({ full }) => ({ id: full, code: 'abc' }),
    ({ full }) => `POST /events/${full}/check-in`,
    { code: 'abc' },
    'forbidden',
  ],
  [
    'check_in',
    ({ own }) => ({ id: own, code: 'abc' }),
    ({ own }) => `POST /events/${own}/check-in`,
    { code: 'abc' },
    'not_found',
  ],
  ['my_groups', () => ({ relation: 'none' }), () => 'GET /groups?relation=none', null, 'validation_failed'],
  ['find_people', () => ({ q: 'x' }), () => 'GET /users?q=x', null, 'validation_failed'],
  [
    'read_comments',
    ({ hidden }) => ({ id: hidden }),
    ({ hidden }) => `GET /events/${hidden}/comments`,
    null,
    'not_found',
  ],
  ['read_comments', () => ({ slug: 'no-post' }), () => 'GET /posts/no-post/comments', null, 'not_found'],
  [
    'write_comment',
    ({ hidden }) => ({ id: hidden, body: 'Hi' }),
    ({ hidden }) => `POST /events/${hidden}/comments`,
    { body: 'Hi' },
    'not_found',
  ],
  [
    'write_comment',
    ({ own }) => ({ id: own, body: '' }),
    ({ own }) => `POST /events/${own}/comments`,
    { body: '' },
    'validation_failed',
  ],
  ['read_expenses', ({ full }) => ({ id: full }), ({ full }) => `GET /events/${full}/expenses`, null, 'forbidden'],
  [
    'record_expense',
    ({ full }) => ({ id: full, kind: 'expense', title: 'Tea', amount: 10 }),
    ({ full }) => `POST /events/${full}/expenses`,
    { title: 'Tea', amount: 10 },
    'forbidden',
  ],
  [
    'record_expense',
    ({ own }) => ({ id: own, kind: 'payment', amount: -1 }),
    ({ own }) => `POST /events/${own}/expenses/payments`,
    { amount: -1 },
    'validation_failed',
  ],
  ['what_changed', () => ({ cursor: 'nonsense' }), () => 'GET /changes?cursor=nonsense', null, 'validation_failed'],
];

describe('MCP tools', () => {
  let server: TestServer;
  let petr: Person;
  let ids: Ids;
  let client: Client;

  const connected = async (token: string): Promise<Client> => {
    const client = new Client({ name: 'tests', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { requestInit }));
    return client;
  };

  beforeAll(async () => {
    server = await TestServer.start({ rateLimitTokenPerMinute: 10_000, rateLimitIpPerMinute: 10_000 });
    const people = await server.people('jana', 'petr', 'eva');
    petr = people.petr;
    const full = await buildEvent(server, people.jana, { max_participants: 1 });
    await people.eva.api.post(`/events/${full.id}/join`, {});
    const hidden = await buildEvent(server, people.jana, { is_public: false });
    const cancelled = await buildEvent(server, people.jana);
    await people.jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    const own = await buildEvent(server, petr);
    ids = {
      full: full.id,
      hidden: hidden.id,
      cancelled: cancelled.id,
      unknown: 'zzzzzzzzzz',
      own: own.id,
      organizer: people.jana.slug,
    };
    client = await connected(petr.token);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it('each have at least one entry in CASES', () => {
    expect(TOOLS.map(({ name }) => name).filter((name) => !CASES.some(([tool]) => tool === name))).toEqual([]);
  });

  // MCP-1, MCP-8
  it.each(CASES)(
    'refuse with the response of the same API operation and a link to the page about the error: %s, case %#',
    async (tool, values, target, body, code) => {
      const refused: CallToolResult = await client.callTool({ name: tool, arguments: values(ids) });
      const [method = '', path = ''] = target(ids).split(' ');
      const json = body && JSON.parse(JSON.stringify(body).replace('{organizer}', ids.organizer));
      const { body: answer } = await petr.api.send(method, path, {
        ...(json ? { json } : {}),
        headers: { 'accept-language': 'en' },
      });
      expect(answer.code).toBe(code);
      expect(refused.isError).toBe(true);
      const { help, ...text } = JSON.parse((refused.content[0] as { text: string }).text) as Values;
      expect(text).toEqual(answer);
      expect(help).toMatch(new RegExp(`/docs/errors/${code}$`));
    },
  );

  // MCP-3
  it.each([...NARROW_SCOPES, 'read', 'write'] as const)(
    'are listed only if the scope %s allows them',
    async (scope) => {
      const { token } = await server.person('narrow', { scopes: [scope] });
      const narrow = await connected(token);
      const { tools } = await narrow.listTools();
      await narrow.close();
      expect(tools.map(({ name }) => name)).toEqual(allowedTo([scope]));
    },
  );
});

function allowedTo(scopes: readonly Scope[]): string[] {
  return TOOLS.filter(({ operations, writes }) =>
    operations.every((operation) => {
      const needed = SCOPE_OF_OPERATION[operation];
      return needed === null || allows(scopes, needed, { reads: !writes });
    }),
  ).map(({ name }) => name);
}
