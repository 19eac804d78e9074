import type { FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import type { Locale } from '#contract/vocabulary';
import { CompressedContent } from '#platform/http/compressed-content';
import { JSON_TYPE } from '#platform/http/wire-headers';
import { wantsPage } from '#platform/http/error-pages';
import { Refusal } from '#platform/http/refusal';
import { weightsOf } from '#platform/text/weights';
import { localeFor } from '#platform/messages/locale';
import { policyOf } from '#web/headers';
import type { Node } from '../document/schema';
import { inVersion30 } from '../document/version-3-0';
import { changesPage } from './changes-page';
import { brunoCollection } from './collection';
import type { DocsContext, DocsPage } from './docs-page';
import type { PagePath, TextPath } from './docs-paths';
import type { DailyDocument } from './daily-document';
import { embeddingPage } from './embedding-page';
import { errorIndex, errorPage, isRefusalCode } from './error-code-pages';
import { introductionPage } from './introduction-page';
import { DocsLayout } from './layout';
import { llmsText } from './llms';
import { operationsPage } from './operations-page';
import { referenceFile, type ReferencePath } from './reference-files';
import { securityPage } from './security-page';
import { docsTranslator } from './texts';
import { webhooksPage } from './webhooks-page';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
/** Request headers that determine the format and language of a page. */
const VARY = ['Accept', 'Accept-Language'];

type PageMaker = (context: DocsContext) => DocsPage;
/** A request for the page of an error code. The code is the last part of the path. */
export type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

const PAGES: Readonly<Record<PagePath, PageMaker>> = {
  '/docs/operations': operationsPage,
  '/docs/changes': changesPage,
  '/docs/webhooks': webhooksPage,
  '/docs/security': securityPage,
  '/docs/embedding': embeddingPage,
  '/docs/errors': errorIndex,
};

/**
 * Sends the responses of the documentation's routes (serve-docs.ts). All requests of one day with the same path,
 * language and format get the same response.
 */
export class Docs {
  private readonly texts: Readonly<Record<TextPath, readonly [type: string, make: () => string]>>;

  constructor(
    private readonly today: DailyDocument,
    private readonly layout: DocsLayout,
    private readonly origin: string,
    private readonly base: string,
  ) {
    this.texts = {
      '/openapi.json': [JSON_TYPE, () => JSON.stringify(today.document)],
      // The YAML repeats equal values instead of using aliases, because some programs do not support aliases.
      '/openapi.yaml': [
        'application/yaml; charset=utf-8',
        () => stringify(today.document, { aliasDuplicateObjects: false, lineWidth: 0 }),
      ],
      '/openapi-3.0.json': [JSON_TYPE, () => JSON.stringify(inVersion30(today.document as unknown as Node))],
      '/docs/bruno.json': [JSON_TYPE, () => JSON.stringify(brunoCollection(today.document, origin), null, 2)],
      '/llms.txt': ['text/plain; charset=utf-8', () => llmsText(today.document, origin)],
    };
  }

  sendText(path: TextPath, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [type, make] = this.texts[path];
    return this.today.text(path, () => new CompressedContent(type, make())).send(request, reply);
  }

  sendPage(path: PagePath, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.sendHtmlOrMarkdown(request, reply, PAGES[path]);
  }

  sendPageAsMarkdown(path: PagePath, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.sendMarkdown(request, reply, PAGES[path]);
  }

  sendErrorPage(request: CodeRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply {
    if (!isRefusalCode(request.params.code)) return this.sendMissing(request, reply);
    return this.sendHtmlOrMarkdown(request, reply, pageOf(request.params.code));
  }

  sendErrorPageAsMarkdown(request: CodeRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.sendMarkdown(request, reply, pageOf(request.params.code));
  }

  sendIntroductionAsMarkdown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.sendMarkdown(request, reply, introductionPage);
  }

  /**
   * Sends the introduction, as HTML or Markdown. The HTML also contains the element in which a script renders the
   * reference.
   */
  sendReference(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    void reply.header('content-security-policy', REFERENCE_POLICY);
    return this.sendHtmlOrMarkdown(request, reply, introductionPage);
  }

  sendReferenceFile(path: ReferencePath, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return referenceFile(path).send(request, reply);
  }

  /** Sends the page as HTML, or as Markdown if the request prefers Markdown. */
  private sendHtmlOrMarkdown(request: FastifyRequest, reply: FastifyReply, make: PageMaker): Promise<FastifyReply> {
    if (asksForMarkdown(request)) return this.sendMarkdown(request, reply, make);
    const locale = selectLocale(request, reply);
    return this.cachedText(
      'html',
      request,
      locale,
      () => new CompressedContent(HTML, this.layout.html(make(this.htmlContext(locale)), locale)),
    ).send(request, reply, VARY);
  }

  private sendMarkdown(request: FastifyRequest, reply: FastifyReply, make: PageMaker): Promise<FastifyReply> {
    const locale = selectLocale(request, reply);
    return this.cachedText(
      'md',
      request,
      locale,
      () => new CompressedContent(MARKDOWN, `${make(this.markdownContext(locale)).markdown}\n`),
    ).send(request, reply, VARY);
  }

  /** Responds with 404: an HTML page for browsers, the error envelope for programs. */
  private sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!wantsPage(request)) throw new Refusal('not_found');
    const locale = selectLocale(request, reply);
    const say = docsTranslator(locale);
    const markdown = `# ${say('missing')}\n\n${say('missing_text', { errors: `${this.base}/docs/errors` })}`;
    return reply
      .code(404)
      .header('vary', VARY.join(', '))
      .type(HTML)
      .send(this.layout.html({ path: '/docs/errors', title: say('missing'), markdown }, locale));
  }

  private cachedText(
    kind: 'html' | 'md',
    request: FastifyRequest,
    locale: Locale,
    make: () => CompressedContent,
  ): CompressedContent {
    const { code } = request.params as { code?: string };
    return this.today.text([kind, request.routeOptions.url, code, locale].join(' '), make);
  }

  private htmlContext(locale: Locale): DocsContext {
    const at = (path: string): string => this.base + path;
    return { locale, origin: this.origin, operations: this.today.operations, at, file: at };
  }

  private markdownContext(locale: Locale): DocsContext {
    const file = (path: string): string => this.origin + path;
    return {
      locale,
      origin: this.origin,
      operations: this.today.operations,
      at: (path) => file(path.includes('#') ? path : `${path}.md`),
      file,
    };
  }
}

/** `origin` is BASE_URL. `base` is the path of BASE_URL without a final slash, and is often empty. */
export function docsOf(today: DailyDocument, origin: string, base: string): Docs {
  return new Docs(today, new DocsLayout(base), origin, base);
}

function pageOf(code: string): PageMaker {
  if (!isRefusalCode(code)) throw new Refusal('not_found');
  return (context) => errorPage(code, context);
}

/** Whether `Accept` prefers Markdown to HTML. */
function asksForMarkdown({ headers: { accept = '' } }: FastifyRequest): boolean {
  const weights = weightsOf(accept);
  return (weights.get('text/markdown') ?? 0) > (weights.get('text/html') ?? 0);
}

/** Returns the language that `Accept-Language` selects (by default English), and sets `Content-Language`. */
function selectLocale(request: FastifyRequest, reply: FastifyReply): Locale {
  const locale = localeFor(request.headers['accept-language'], null);
  void reply.header('content-language', locale);
  return locale;
}

/**
 * The Content-Security-Policy of the page with the reference. Unlike the policies of other pages, it allows icons in
 * the reference's style sheet (data:), and pictures, sounds and videos in responses (blob:).
 */
const REFERENCE_POLICY = policyOf("img-src 'self' data: blob:", "media-src 'self' blob:");
