import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { basePathOf } from '#platform/config/base-path';
import { Settings } from '#platform/config/settings';
import { answerError } from '#platform/http/envelope';
import { pageHeaders } from '#web/headers';
import type { DailyDocument } from './daily-document';
import { docsOf, type CodeRequest, type Docs } from './docs';
import { PAGE_PATHS, TEXT_PATHS } from './docs-paths';
import { REFERENCE_PATHS } from './reference-files';

/**
 * Serves the documentation for people and programs: the OpenAPI document and other files for programs, the pages below
 * /docs, and the Markdown of each page. No token or session is needed; `Accept-Language` selects the language. Each
 * text that depends on the OpenAPI document is built when it is first requested on a UTC day. Call this function once,
 * before `app.init()`.
 */
export function serveDocs(app: NestFastifyApplication, today: DailyDocument): void {
  const settings = app.get(Settings);
  const base = basePathOf(settings.baseUrl);
  let cached: Docs | undefined;
  const docs = (): Docs => (cached ??= docsOf(today, settings.baseUrl, base));
  const fastify = app.getHttpAdapter().getInstance();
  const writeHeaders = pageHeaders(settings);
  // Files for programs. These routes get no page headers, because page headers remove the CORS headers, and scripts of
  // any site may read these files.
  void fastify.register(async (texts) => {
    // Nest sets its error handler later, so these routes need a separate error handler.
    texts.setErrorHandler(answerError);
    for (const path of TEXT_PATHS) texts.get(path, (request, reply) => docs().sendText(path, request, reply));
    for (const path of ['/docs.md', '/docs/index.md'])
      texts.get(path, (request, reply) => docs().sendIntroductionAsMarkdown(request, reply));
    for (const path of PAGE_PATHS)
      texts.get(`${path}.md`, (request, reply) => docs().sendPageAsMarkdown(path, request, reply));
    texts.get('/docs/errors/:code(^[^.]+).md', (request: CodeRequest, reply) =>
      docs().sendErrorPageAsMarkdown(request, reply),
    );
    for (const path of REFERENCE_PATHS)
      texts.get(path, (request, reply) => docs().sendReferenceFile(path, request, reply));
  });
  // Pages for people.
  void fastify.register(async (pages) => {
    pages.addHook('onRequest', async (_request, reply) => writeHeaders(reply));
    pages.setErrorHandler(answerError);
    pages.get('/docs', (request, reply) => docs().sendReference(request, reply));
    for (const path of ['/docs', ...PAGE_PATHS])
      pages.get(`${path}/`, (_request, reply) => reply.redirect(base + path, 308));
    for (const path of PAGE_PATHS) pages.get(path, (request, reply) => docs().sendPage(path, request, reply));
    pages.get('/docs/errors/:code', (request: CodeRequest, reply) => docs().sendErrorPage(request, reply));
  });
}
