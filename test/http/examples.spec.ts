import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintSecret } from '#areas/identity/token-secret.policy';
import { newCheckInCode, randomCode, readCode } from '#areas/participation/codes';
import { newWebhookSecret } from '#areas/webhooks/webhook-message';
import { LIMITS } from '#contract/limits';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';

type Example = Record<string, unknown>;
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, { readonly example: Example }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly example: unknown }> }>;
}
/**
 * The values that a request needs in addition to its example: the sender, the values of the placeholders in the path
 * (`path`), and values that replace values in the body of the example (`overrides`).
 */
interface ExampleContext {
  readonly sender: Person;
  readonly path?: Record<string, string>;
  readonly overrides?: Example;
}

const { paths } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const requestExamples = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      type,
      example,
      id: operation.operationId,
    })),
  ),
);

// DOC-4
describe('the examples of the API reference', () => {
  let server: TestServer;
  let contexts: Record<string, ExampleContext>;
  let photo: Blob;

  beforeAll(async () => {
    server = await TestServer.start();
    photo = new Blob([new Uint8Array(await picture('jpeg'))]);
    const { jana, eva, petr } = await server.people('jana', 'eva', 'petr');
    await server.sql("UPDATE users SET slug = 'petr-svoboda' WHERE id = $1", [petr.userId]);
    contexts = await createContexts(jana, eva);
  });
  afterAll(() => server.stop());

  async function createContexts(jana: Person, eva: Person): Promise<Record<string, ExampleContext>> {
    const event = await buildEvent(server, jana, { with: [[eva, 'confirmed']], photos_enabled: true });
    const locked = await buildEvent(server, jana, { join_mode: 'password', join_password: 'earl-grey' });
    const ticketed = await buildEvent(server, jana, { join_mode: 'tickets' });
    const group = await buildGroup(server, jana);
    const series = await buildSeries(server, jana);
    const post = (
      await jana.api.post('/posts', { title: 'Cesta', categories: ['kolo'], body: 'Jeli jsme.', status: 'published' })
    ).body.data;
    await jana.api.post(`/events/${ticketed.id}/participants`, { user: eva.slug });
    const webhook = (await eva.api.post('/webhooks', { url: 'https://93.184.216.34/' })).body.data;
    const [notice] = (await eva.api.get('/notices')).body.data;
    const { check_in_code: code } = (await eva.api.get(`/discover/events/${event.id}`)).body.data.viewer;
    const ofEvent = { sender: jana, path: { id: event.id } };
    const ofGroup = { sender: jana, path: { id: group.id } };
    const ofPost = { sender: jana, path: { slug: post.slug } };
    return {
      createEvent: { sender: jana },
      updateEvent: ofEvent,
      uploadEventImages: ofEvent,
      sendEventMessage: ofEvent,
      inviteEventParticipant: ofEvent,
      checkInByCode: { ...ofEvent, overrides: { code } },
      joinEvent: { sender: eva, path: { id: locked.id } },
      createEventTickets: { sender: jana, path: { id: ticketed.id } },
      createSeries: { sender: eva },
      updateSeries: { sender: jana, path: { id: series.id } },
      putEventItinerary: ofEvent,
      addEventExpense: ofEvent,
      uploadEventPhotos: ofEvent,
      recordEventPayment: { ...ofEvent, overrides: { to: eva.slug } },
      createGroup: { sender: jana },
      updateGroup: ofGroup,
      inviteGroupMember: ofGroup,
      uploadGroupAvatar: ofGroup,
      uploadGroupCover: ofGroup,
      createPost: { sender: jana },
      updatePost: ofPost,
      uploadPostCover: ofPost,
      commentOnPost: ofPost,
      commentOnEvent: ofEvent,
      createPuls: { sender: jana },
      createWebhook: { sender: jana, overrides: { url: 'https://93.184.216.34/' } },
      updateWebhook: { sender: eva, path: { id: webhook.id } },
      createDoorLink: ofEvent,
      sendDoorScans: {
        ...ofEvent,
        overrides: { scans: [{ code, scanned_at: new Date(Date.now() - 60_000).toISOString() }] },
      },
      createReport: { sender: jana },
      readNotices: { sender: eva, overrides: { up_to: notice.id } },
    };
  }

  async function sendExample(
    { path, method, type, example }: (typeof requestExamples)[number],
    { sender, path: names = {}, overrides }: ExampleContext,
  ): Promise<Answer> {
    const to = path.slice('/api/v1'.length).replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? '');
    if (type === 'application/json') return sender.api.send(method, to, { json: { ...example, ...overrides } });
    const parts = Object.entries(example).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one === 'picture.jpg' ? photo : String(one)] as const),
    );
    return sender.api.upload(to, parts, method);
  }

  it.each(requestExamples)(
    'are valid: $id accepts its example ($type), and the example response has all fields of the real response',
    async (one) => {
      const context = contexts[one.id];
      if (!context)
        throw new Error(
          `${one.id} has a request body: add an entry to \`contexts\` with the person who sends its example`,
        );
      const answer = await sendExample(one, context);
      if (answer.status !== 201) expect([answer.status, answer.body]).toEqual([200, expect.any(Object)]);
      expect(
        differences(answer.body, one.operation.responses[answer.status]?.content?.['application/json']?.example),
      ).toEqual([]);
    },
  );

  // JOIN-37
  it('contain codes and secrets that have the same form as real codes and secrets', async () => {
    const formOf = (secret: string): string => secret.replace(/[0-9A-Za-z+/=]/g, 'x');
    const examplesOf = (field: string): string[] =>
      [...JSON.stringify(paths).matchAll(new RegExp(`"${field}":"([^"]+)"`, 'g'))].map(([, value = '']) => value);
    const formsOf = (field: string): string[] => [...new Set(examplesOf(field).map(formOf))].sort();

    const [checkIn, ticket] = [newCheckInCode(), randomCode(LIMITS.participation.tickets.code_random_bits)].map(formOf);
    expect([formsOf('check_in_code'), formsOf('code')]).toEqual([[checkIn], [ticket, checkIn]]);
    const codes = [...examplesOf('check_in_code'), ...examplesOf('code')];
    expect(codes.map(readCode)).toEqual(codes);
    expect(formsOf('token')).toEqual([formOf(mintSecret('door'))]);
    expect(formsOf('secret')).toEqual([formOf(newWebhookSecret())]);
    const { sender, path } = contexts['updateGroup']!;
    const { url } = (await sender.api.post(`/groups/${path!['id']}/invite-link`)).body.data as { url: string };
    const joinCodeOf = (address: string): string => address.split('/groups/join/')[1] ?? '';
    const [example = ''] = examplesOf('url').map(joinCodeOf).filter(Boolean);
    expect(example).toHaveLength(joinCodeOf(url).length);
  });

  it('contain times in the future in the OpenAPI document that the server returns', async () => {
    const { body } = await server.nobody.get('~/openapi.json');
    const { starts_at: startsAt } = body.paths['/api/v1/events'].post.requestBody.content['application/json'].example;
    const days = (Date.parse(startsAt) - server.clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(9);
  });
});

/**
 * Returns the fields of the response that are missing in the example or have another type in the example. A field that
 * is null in the response or in the example is ignored. Of two lists, only the first items are compared.
 */
function differences(answer: unknown, example: unknown, at = ''): string[] {
  if (answer === null || example === null) return [];
  if (Array.isArray(answer) && Array.isArray(example))
    return answer.length > 0 && example.length > 0 ? differences(answer[0], example[0], `${at}[]`) : [];
  if (typeof answer !== typeof example || Array.isArray(answer) !== Array.isArray(example))
    return [`${at}: ${typeof answer}, not ${typeof example}`];
  if (typeof answer !== 'object') return [];
  return Object.entries(answer as Example).flatMap(([name, value]) =>
    name in (example as Example)
      ? differences(value, (example as Example)[name], `${at}.${name}`)
      : [`${at}.${name} is not in the example`],
  );
}
