import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { lazily } from '#platform/loading/lazily';

const tracesModule = lazily<typeof import('./traces')>(__filename, './traces');

/** Starts to send traces if OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise the OpenTelemetry SDK is not loaded. */
export function startTraces(app: NestFastifyApplication): void {
  const { tracesEndpoint } = app.get(Settings);
  if (tracesEndpoint === null) return;
  const { Traces } = tracesModule();
  new Traces(app.getHttpAdapter().getInstance(), tracesEndpoint);
}
