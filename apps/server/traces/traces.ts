import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onStatement, type StatementRun } from '#platform/database/statement-channel';
import { currentRequest } from '#platform/context/current-request';

/** Reads the span of the caller (a proxy or a client) from the headers `traceparent` and `tracestate`. */
const CALLER_CONTEXT = new W3CTraceContextPropagator();
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
        CALLER_CONTEXT.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter),
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
