import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { TestServer } from '#testing/test-server';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }[];
}

// OPS-63
describe('traces', () => {
  let collector: Server;
  const sent: { path: string | undefined; spans: Span[]; services: unknown[] }[] = [];
  beforeAll(async () => {
    collector = createServer((request, response) => {
      void json(request).then((body) => {
        const { resourceSpans } = body as {
          resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Span[] }[] }[];
        };
        sent.push({
          path: request.url,
          services: resourceSpans.flatMap(({ resource }) => resource.attributes),
          spans: resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
        });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  afterAll(() => void collector.close());

  const valueOf = ({ attributes }: Span, key: string) => attributes.find((one) => one.key === key)?.value;

  it('nest the spans of SQL statements in the span of their request, and this span in the span of the caller; they contain neither the query string nor the id of the URL', async () => {
    const server = await TestServer.start({
      tracesEndpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    });
    const jana = await server.person('jana');
    const [trace, caller] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const answer = await fetch(`${server.origin}/api/v1/events/hgfedcba?q=secret`, {
      headers: { authorization: `Bearer ${jana.token}`, traceparent: `00-${trace}-${caller}-01` },
    });
    expect(answer.status).toBe(404);
    const laterTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
    await fetch(`${server.origin}/health/live`, { headers: { traceparent: `01-${laterTrace}-${caller}-01-more` } });
    await server.stop();

    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
    expect(sent[0]!.services).toContainEqual({ key: 'service.name', value: { stringValue: 'events' } });
    const spansOf = (id: string) => sent.flatMap((one) => one.spans).filter(({ traceId }) => traceId === id);
    // A `traceparent` of a later version begins like version 00.
    expect(spansOf(laterTrace)).toMatchObject([{ parentSpanId: caller, name: 'GET /health/live' }]);
    const spans = spansOf(trace);
    const request = spans.find(({ name }) => name === 'GET /api/v1/events/:id')!;
    expect(request).toMatchObject({ parentSpanId: caller, kind: 2 });
    expect([valueOf(request, 'http.response.status_code'), valueOf(request, 'error.type')]).toEqual([
      { intValue: 404 },
      { stringValue: 'not_found' },
    ]);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(statements.map((one) => valueOf(one, 'db.operation.name')?.stringValue)).toContain(
      'identity_token_with_account',
    );
    expect(JSON.stringify(sent)).not.toMatch(/hgfedcba|secret/);
  });

  it('do not affect responses when the collector cannot be reached', async () => {
    const server = await TestServer.start({ tracesEndpoint: 'http://127.0.0.1:1' });
    const jana = await server.person('jana');
    expect((await jana.api.get('/user')).status).toBe(200);
    await server.stop();
  });
});
