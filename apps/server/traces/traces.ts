import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onStatement, type StatementRun } from '#platform/database/statement-channel';
import { currentRequest } from '#platform/context/current-request';

/** Matches the header `traceparent` of W3C Trace Context: version, trace, span, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** When the server stops, it waits at most this many milliseconds until the last spans are sent. */
const FLUSH_TIMEOUT_MS = 3_000;

/**
 * Records requests and their statements as spans, and sends the spans by OTLP over HTTP (OPS-63). The name of a
 * request's span consists of the method and the route pattern; the span also contains the id of the request. The name
 * of a statement's span is the name of the statement. No span contains a path, values or ids of resources. If the
 * collector does not respond, spans are lost, and requests are not affected.
 */
export class Traces {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;
  private readonly spans = new WeakMap<FastifyRequest, Span>();

  /**
   * @param endpoint the URL of the collector, without a trailing slash. The library also reads
   * OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER.
   */
  constructor(fastify: FastifyInstance, endpoint: string) {
    const serviceResource = resourceFromAttributes({ 'service.name': process.env['OTEL_SERVICE_NAME'] || 'events' });
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
    this.provider = new BasicTracerProvider({
      resource: defaultResource().merge(serviceResource),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.tracer = this.provider.getTracer('events');
    const stopWatchingStatements = onStatement((run) => this.addSpan(run));
    fastify.addHook('onRequest', (request, _reply, done) => {
      this.begin(request);
      done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      this.end(request, reply.statusCode);
      done();
    });
    fastify.addHook('onClose', async () => {
      stopWatchingStatements();
      await Promise.race([
        this.provider.shutdown().catch(() => undefined),
        new Promise((done) => setTimeout(done, FLUSH_TIMEOUT_MS).unref()),
      ]);
    });
  }

  private begin(request: FastifyRequest): void {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'url.scheme': request.protocol,
      'http.request_id': request.id,
    };
    this.spans.set(
      request,
      this.tracer.startSpan(
        `${request.method} ${route}`,
        { kind: SpanKind.SERVER, attributes },
        parentContextOf(request),
      ),
    );
  }

  private end(request: FastifyRequest, status: number): void {
    const span = this.spans.get(request);
    span?.setAttribute('http.response.status_code', status);
    if (request.refusalCode !== null) span?.setAttribute('error.type', request.refusalCode);
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }

  /** Records an executed statement as a child of the span of its request. Omits statements of jobs and commands. */
  private addSpan({ name, ms, failed }: StatementRun): void {
    const request = currentRequest.getStore();
    const parent = request && this.spans.get(request);
    if (!parent) return;
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
    const span = this.tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, startTime: performance.now() - ms, attributes },
      trace.setSpan(ROOT_CONTEXT, parent),
    );
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}

/**
 * Returns a context with the span of the caller (a proxy or a client) from `traceparent`. If the header is absent,
 * invalid or of a version other than 00, the context has no span.
 */
function parentContextOf(request: FastifyRequest): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(request.headers['traceparent'] ?? '')) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED,
    isRemote: true,
  });
}
