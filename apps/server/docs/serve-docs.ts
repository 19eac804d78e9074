import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { answerError } from '#platform/http/envelope';
import { wantsPage } from '#platform/http/error-pages';
import { Refusal } from '#platform/http/refusal';
import { localeFor } from '#platform/messages/messages';
import { pageHeaders } from '#web/headers';
import type { DocsContext, DocsPage } from './docs-page';
import { DocumentOfTheDay } from './document-of-the-day';
import { errorIndex, errorPage, isRefusalCode } from './error-pages';
import { DocsLayout } from './layout';
import { Served } from './served';
import { docsSayIn } from './texts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

type PageMaker = (context: DocsContext) => DocsPage;
type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

/**
 * The contract for people and programs: /openapi.json, the pages below /docs, and each of them as Markdown. Without token and session;
 * their language is that of `Accept-Language`. Call it once, before `app.init()`.
 */
export function serveDocs(app: NestFastifyApplication): void {
  const settings = app.get(Settings);
  const docs = new Docs(new DocumentOfTheDay(app), settings.baseUrl);
  const fastify = app.getHttpAdapter().getInstance();
  const writeHeaders = pageHeaders(settings);
  void fastify.register(async (texts) => {
    // Nest's comes too late for a route registered before Nest's own.
    texts.setErrorHandler(answerError);
    docs.serveTexts(texts);
  });
  void fastify.register(async (pages) => {
    pages.addHook('onRequest', async (_request, reply) => writeHeaders(reply));
    pages.setErrorHandler(answerError);
    docs.servePages(pages);
  });
}

class Docs {
  private readonly base: string;
  private readonly layout: DocsLayout;

  constructor(
    private readonly today: DocumentOfTheDay,
    private readonly origin: string,
  ) {
    this.base = new URL(origin).pathname.replace(/\/$/, '');
    this.layout = new DocsLayout(this.base);
  }

  /** What programs read, from any site. */
  serveTexts(fastify: FastifyInstance): void {
    fastify.get('/openapi.json', (request, reply) => this.today.text('openapi.json', () => new Served('application/json; charset=utf-8', JSON.stringify(this.today.document))).send(request, reply));
    fastify.get('/docs/errors.md', (request, reply) => this.sendMarkdown(request, reply, errorIndex));
    fastify.get('/docs/errors/:code(^[^.]+).md', (request: CodeRequest, reply) => this.sendMarkdown(request, reply, pageOf(request.params.code)));
  }

  /** What people read. */
  servePages(fastify: FastifyInstance): void {
    fastify.get('/docs/errors', (request, reply) => this.sendPage(request, reply, errorIndex));
    fastify.get('/docs/errors/:code', (request: CodeRequest, reply) => {
      if (!isRefusalCode(request.params.code)) return this.sendMissing(request, reply);
      return this.sendPage(request, reply, pageOf(request.params.code));
    });
  }

  /** Whoever asks for Markdown at the page's own address gets it there. */
  private sendPage(request: FastifyRequest, reply: FastifyReply, make: PageMaker): Promise<FastifyReply> {
    const { accept = '' } = request.headers;
    if (accept.includes('text/markdown') && !accept.includes('text/html')) return this.sendMarkdown(request, reply, make);
    const locale = readerOf(request, reply);
    return this.text('html', request, locale, () => new Served(HTML, this.layout.html(make(this.context(locale, (path) => this.base + path)), locale))).send(request, reply, VARY);
  }

  private sendMarkdown(request: FastifyRequest, reply: FastifyReply, make: PageMaker): Promise<FastifyReply> {
    const locale = readerOf(request, reply);
    const at = (path: string) => this.origin + (path.includes('#') ? path : `${path}.md`);
    return this.text('md', request, locale, () => new Served(MARKDOWN, `${make(this.context(locale, at)).markdown}\n`)).send(request, reply, VARY);
  }

  /** A page for browsers; programs get the envelope. */
  private sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!wantsPage(request)) throw new Refusal('not_found');
    const locale = readerOf(request, reply);
    const say = docsSayIn(locale);
    const markdown = `# ${say('missing')}\n\n${say('missing_text', { errors: `${this.base}/docs/errors` })}`;
    return reply.code(404).header('vary', VARY.join(', ')).type(HTML).send(this.layout.html({ path: '/docs/errors', title: say('missing'), markdown }, locale));
  }

  private text(kind: 'html' | 'md', request: FastifyRequest, locale: Locale, make: () => Served): Served {
    const { code } = request.params as { code?: string };
    return this.today.text([kind, request.routeOptions.url, code, locale].join(' '), make);
  }

  private context(locale: Locale, at: DocsContext['at']): DocsContext {
    return { locale, origin: this.origin, operations: this.today.operations, at };
  }
}

const VARY = ['Accept', 'Accept-Language'];

function pageOf(code: string): PageMaker {
  if (!isRefusalCode(code)) throw new Refusal('not_found');
  return (context) => errorPage(code, context);
}

/** The language of `Accept-Language`, else English; the answer says which. */
function readerOf(request: FastifyRequest, reply: FastifyReply): Locale {
  const locale = localeFor(request.headers['accept-language'], null);
  void reply.header('content-language', locale);
  return locale;
}
