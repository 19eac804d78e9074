import { SwaggerModule } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { Clock } from '#platform/time/clock';
import { apiDocument } from './document/document';

const DAY_MS = 86_400_000;

/** /openapi.json and /docs, outside the API. The document is made when it is first asked for, and anew each day: its examples have times to come. */
export function serveReference(app: NestFastifyApplication): void {
  const { baseUrl } = app.get(Settings);
  const clock = app.get(Clock);
  let made: { day: number; json: string } | null = null;
  app.getHttpAdapter().getInstance().get('/openapi.json', (_request, reply) => {
    const now = clock.now();
    const day = Math.floor(now.getTime() / DAY_MS);
    if (made?.day !== day) made = { day, json: JSON.stringify(apiDocument(app, { baseUrl, now })) };
    return reply.type('application/json; charset=utf-8').send(made.json);
  });
  SwaggerModule.setup('docs', app, () => apiDocument(app, { baseUrl, now: clock.now() }), { customSiteTitle: 'Events API', raw: false });
}
