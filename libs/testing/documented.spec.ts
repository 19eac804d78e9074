import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { Documented } from './documented';
import { declaredCodes, codesNotReceived, type Document } from './documented-codes';

const refusal = (...codes: string[]): object => ({
  description: '',
  headers: { Link: { $ref: '#/components/headers/Link' } },
  content: {
    'application/json': {
      schema: { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
    },
  },
});

const DOCUMENT = {
  paths: {
    '/api/v1/things/{id}': {
      get: {
        responses: {
          200: { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          404: { $ref: '#/components/responses/NotFound' },
          409: refusal('conflict', 'event_full'),
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: ['string', 'null'] }, url: { type: 'string', format: 'uri' } },
      },
    },
    responses: { NotFound: refusal('not_found') },
    headers: { Link: { required: true } },
  },
} as unknown as Document;

const HELP = { link: '<https://events.example/docs/errors/conflict>; rel="help"' };

// DOC-3
describe('validation of every response', () => {
  let app: FastifyInstance;
  let documented: Documented;
  let answer: { status: number; body: unknown; headers?: Record<string, string> };

  beforeEach(async () => {
    app = fastify();
    documented = new Documented(DOCUMENT);
    documented.watch(app);
    app.get('/api/v1/things/:id', (_request, reply) =>
      reply
        .code(answer.status)
        .headers(answer.headers ?? {})
        .type('application/json')
        .send(JSON.stringify(answer.body)),
    );
    await app.ready();
  });
  afterEach(() => app.close());

  async function differences(status: number, body: unknown, headers?: Record<string, string>): Promise<string[]> {
    answer = { status, body, ...(headers && { headers }) };
    await app.inject('/api/v1/things/1');
    return [...documented.differences];
  }

  it('accepts declared responses', async () => {
    expect(await differences(200, { name: null, url: 'https://café.example/ž' })).toEqual([]);
    expect(await differences(409, { code: 'event_full' }, HELP)).toEqual([]);
    expect(await differences(404, { code: 'not_found' }, HELP)).toEqual([]);
  });

  it.each([
    [
      'an undeclared code',
      409,
      { code: 'already_invited' },
      HELP,
      'GET /api/v1/things/{id} 409: /code must be equal to one of the allowed values (already_invited)',
    ],
    [
      'an undeclared status',
      403,
      { code: 'forbidden' },
      HELP,
      'GET /api/v1/things/{id} 403: is not documented: {"code":"forbidden"}',
    ],
    [
      'an undeclared header',
      200,
      { name: 'x' },
      { etag: '"1"' },
      'GET /api/v1/things/{id} 200: has the header etag, which is not documented',
    ],
    ['a missing header', 404, { code: 'not_found' }, {}, 'GET /api/v1/things/{id} 404: lacks the header link'],
    [
      'an undeclared field',
      200,
      { name: 'x', secret: 1 },
      {},
      'GET /api/v1/things/{id} 200:  must NOT have additional properties {"additionalProperty":"secret"}',
    ],
    [
      'a wrong format',
      200,
      { name: 'x', url: 'nowhere' },
      {},
      'GET /api/v1/things/{id} 200: /url must match format "uri" {"format":"uri"}',
    ],
  ])('reports %s', async (_what, status, body, headers, line) => {
    expect(await differences(status, body, headers)).toEqual([line]);
  });

  it('reports the declared codes that no test of the run has received', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'seen-'));
    writeFileSync(join(folder, '1'), 'GET /api/v1/things/{id} 404 not_found\n');
    writeFileSync(join(folder, '2'), 'GET /api/v1/things/{id} 409 conflict\n');
    expect(declaredCodes(DOCUMENT)).toHaveLength(3);
    expect(codesNotReceived(DOCUMENT, folder)).toEqual(['GET /api/v1/things/{id} 409 event_full']);
    rmSync(folder, { recursive: true });
  });
});

// DOC-2
it('the OpenAPI document declares the code `unauthenticated` for every operation', () => {
  const document = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path} `),
  );
  const lines = declaredCodes(document);
  for (const operation of operations) expect(lines).toContain(`${operation}401 unauthenticated`);
});
