import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import { wantsPage } from '#platform/http/error-pages';
import { Refusal } from '#platform/http/refusal';
import { localeFor } from '#platform/messages/messages';
import type { Node } from '../document/schema';
import { inVersion30 } from '../document/version-3-0';
import { brunoCollection } from './collection';
import type { DocsContext, DocsPage } from './docs-page';
import type { DocumentOfTheDay } from './document-of-the-day';
import { errorIndex, errorPage, isRefusalCode } from './error-pages';
import { introductionPage } from './introduction-page';
import type { DocsLayout } from './layout';
import { llmsText } from './llms';
import { operationsPage } from './operations-page';
import { referenceEntry } from './reference-scripts';
import { Served } from './served';
import { docsSayIn } from './texts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
/** By what the choice of a page goes, beside its address. */
const VARY = ['Accept', 'Accept-Language'];

/** Loaded when it is first asked for: 72 files, for one address. */
const yaml = (): typeof import('yaml') => createRequire(__filename)('yaml') as typeof import('yaml');

type PageMaker = (context: DocsContext) => DocsPage;
type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

/** Pages of a fixed path, but the first, which has the reference below it. */
const PAGES: Readonly<Record<string, PageMaker>> = { '/docs/operations': operationsPage, '/docs/errors': errorIndex };

/** What is answered below /docs and beside it; the same for everybody who reads the language. */
export class Docs {
  /** `origin`: BASE_URL; `base`: its path, if it has one. */
  constructor(
    private readonly today: DocumentOfTheDay,
    private readonly layout: DocsLayout,
    private readonly origin: string,
    private readonly base: string,
  ) {}

  /** What programs read, from any site. */
  serveTexts(fastify: FastifyInstance): void {
    const { origin, today } = this;
    const texts: Record<string, readonly [type: string, make: () => string]> = {
      '/openapi.json': [JSON_TYPE, () => JSON.stringify(today.document)],
      // Aliases would be written for what the document has twice: not every reader knows them.
      '/openapi.yaml': ['application/yaml; charset=utf-8', () => yaml().stringify(today.document, { aliasDuplicateObjects: false, lineWidth: 0 })],
      '/openapi-3.0.json': [JSON_TYPE, () => JSON.stringify(inVersion30(today.document as unknown as Node))],
      '/docs/bruno.json': [JSON_TYPE, () => JSON.stringify(brunoCollection(today.document, origin), null, 2)],
      '/llms.txt': ['text/plain; charset=utf-8', () => llmsText(today.document, origin)],
    };
    for (const [path, [type, make]] of Object.entries(texts)) fastify.get(path, (request, reply) => today.text(path, () => new Served(type, make())).send(request, reply));
    for (const path of ['/docs.md', '/docs/index.md']) fastify.get(path, (request, reply) => this.sendMarkdown(request, reply, introductionPage));
    for (const [path, make] of Object.entries(PAGES)) fastify.get(`${path}.md`, (request, reply) => this.sendMarkdown(request, reply, make));
    fastify.get('/docs/errors/:code(^[^.]+).md', (request: CodeRequest, reply) => this.sendMarkdown(request, reply, pageOf(request.params.code)));
  }

  /** What people read. */
  servePages(fastify: FastifyInstance): void {
    fastify.get('/docs', (request, reply) => this.sendReference(request, reply));
    for (const path of ['/docs', ...Object.keys(PAGES)]) fastify.get(`${path}/`, (_request, reply) => reply.redirect(this.base + path, 308));
    for (const [path, make] of Object.entries(PAGES)) fastify.get(path, (request, reply) => this.sendPage(request, reply, make));
    fastify.get('/docs/errors/:code', (request: CodeRequest, reply) => {
      if (!isRefusalCode(request.params.code)) return this.sendMissing(request, reply);
      return this.sendPage(request, reply, pageOf(request.params.code));
    });
  }

  /** The introduction, and below it room for the reference, whose own style sheets are let in by a nonce: never the same page twice. */
  private sendReference(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (asksForMarkdown(request)) return this.sendMarkdown(request, reply, introductionPage);
    const locale = readerOf(request, reply);
    const nonce = randomBytes(16).toString('base64url');
    void reply.header('content-security-policy', referencePolicy(nonce));
    const html = this.layout.html(introductionPage(this.forPeople(locale)), locale, { nonce, entry: referenceEntry() });
    return new Served(HTML, html).send(request, reply, VARY, 'no-store');
  }

  /** Whoever asks for Markdown at the page's own address gets it there. */
  private sendPage(request: FastifyRequest, reply: FastifyReply, make: PageMaker): Promise<FastifyReply> {
    if (asksForMarkdown(request)) return this.sendMarkdown(request, reply, make);
    const locale = readerOf(request, reply);
    return this.text('html', request, locale, () => new Served(HTML, this.layout.html(make(this.forPeople(locale)), locale))).send(request, reply, VARY);
  }

  private sendMarkdown(request: FastifyRequest, reply: FastifyReply, make: PageMaker): Promise<FastifyReply> {
    const locale = readerOf(request, reply);
    return this.text('md', request, locale, () => new Served(MARKDOWN, `${make(this.forPrograms(locale)).markdown}\n`)).send(request, reply, VARY);
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

  private forPeople(locale: Locale): DocsContext {
    const at = (path: string): string => this.base + path;
    return { locale, origin: this.origin, operations: this.today.operations, at, file: at };
  }

  private forPrograms(locale: Locale): DocsContext {
    const file = (path: string): string => this.origin + path;
    return { locale, origin: this.origin, operations: this.today.operations, at: (path) => file(path.includes('#') ? path : `${path}.md`), file };
  }
}

function pageOf(code: string): PageMaker {
  if (!isRefusalCode(code)) throw new Refusal('not_found');
  return (context) => errorPage(code, context);
}

function asksForMarkdown({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/markdown') && !accept.includes('text/html');
}

/** The language of `Accept-Language`, else English; the answer says which. */
function readerOf(request: FastifyRequest, reply: FastifyReply): Locale {
  const locale = localeFor(request.headers['accept-language'], null);
  void reply.header('content-language', locale);
  return locale;
}

/** What the reference needs beside the pages' own policy: style sheets it makes, pictures it draws or is answered with. Nothing from elsewhere. */
function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'", "script-src 'self'", `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data: blob:", "media-src 'self' blob:", "font-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].join('; ');
}
