import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { answerError } from '#platform/http/envelope';
import { pageHeaders } from '#web/headers';
import { Docs } from './docs';
import { DocumentOfTheDay } from './document-of-the-day';
import { DocsLayout } from './layout';
import { serveReferenceScripts } from './reference-scripts';

/**
 * The contract for people and programs: the OpenAPI document, the pages below /docs, and each of them as Markdown. Without token and
 * session; their language is that of `Accept-Language`. Call it once, before `app.init()`.
 */
export function serveDocs(app: NestFastifyApplication): void {
  const settings = app.get(Settings);
  const base = new URL(settings.baseUrl).pathname.replace(/\/$/, '');
  const docs = new Docs(new DocumentOfTheDay(app), new DocsLayout(base), settings.baseUrl, base);
  const fastify = app.getHttpAdapter().getInstance();
  const writeHeaders = pageHeaders(settings);
  void fastify.register(async (texts) => {
    // Nest's comes too late for a route registered before Nest's own.
    texts.setErrorHandler(answerError);
    docs.serveTexts(texts);
    await serveReferenceScripts(texts);
  });
  void fastify.register(async (pages) => {
    pages.addHook('onRequest', async (_request, reply) => writeHeaders(reply));
    pages.setErrorHandler(answerError);
    docs.servePages(pages);
  });
}
