import { SwaggerModule } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { Clock } from '#platform/time/clock';
import { apiDocument } from './document/document';

/** /docs, outside the API. */
export function serveReference(app: NestFastifyApplication): void {
  const { baseUrl } = app.get(Settings);
  const clock = app.get(Clock);
  SwaggerModule.setup('docs', app, () => apiDocument(app, { baseUrl, now: clock.now() }), { customSiteTitle: 'Events API', raw: false });
}
