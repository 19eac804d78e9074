import { createRequire } from 'node:module';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';

/** Sends traces where OTEL_EXPORTER_OTLP_ENDPOINT says so; without it nothing of OpenTelemetry's SDK is loaded. */
export function offerTraces(app: NestFastifyApplication): void {
  const { tracesEndpoint } = app.get(Settings);
  if (tracesEndpoint === null) return;
  const { Traces } = createRequire(__filename)('./traces') as typeof import('./traces');
  new Traces(app.getHttpAdapter().getInstance(), tracesEndpoint);
}
