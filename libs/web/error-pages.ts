import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REFUSALS, type RefusalCode } from '#contract/refusals';
import { isReadingMethod } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { answerError, summary, type ErrorBody } from '#platform/http/envelope';
import { wantsPage, type SendErrorPage } from '#platform/http/error-pages';
import { hasHelpLink, helpLink } from '#platform/http/help-link';
import { Refusal } from '#platform/http/refusal';
import { pathOf } from '#platform/http/paths';
import { RouteTable } from '#platform/http/routes';
import { JSON_TYPE } from '#platform/http/wire-headers';
import { translate } from '#platform/messages/messages';
import { FormPages } from './form/form-pages';
import { withoutTokens } from './form/form-tokens';
import { InvalidFormToken } from './form/invalid-form-token';
import { pageHeaders } from './headers';
import { localPath } from './local-path';
import { Pages } from './pages';
import { Readers, type Reader } from './readers';
import { readSession } from './session';
import { translator, type TextKey } from './texts';
import { ERROR_PAGE, view, type View } from './view';

/** Codes of refusals for which the reader gets the same response as for a page that does not exist. */
const ANSWERED_AS_NOT_FOUND = new Set(['not_found', 'forbidden', 'banned']);
/** Pages with `ShowsForbidden` answer these codes with 403, as the API does (PAGE-96). */
const FORBIDDEN = new Set(['forbidden', 'banned']);
/** Statuses with a page of their own. Any other status gets the page of 400 or 500. */
const STATUSES_WITH_OWN_PAGE = [403, 404, 413, 429, 503] as const;
/** Pages with these statuses have the language form and the button to sign out, as other pages do (PAGE-22). */
const STATUSES_WITH_FORMS: ReadonlySet<number> = new Set([403, 404]);
/**
 * Apps send requests to the addresses below this path, so these addresses are not redirected to a page. The only form
 * for people below this path, /oauth/consent (APP-12), needs no redirect, because its address also has a page.
 */
const FOR_PROGRAMS = '/oauth/';

/**
 * Answers an error of a page route with a page if the client accepts HTML, else with the API's error as JSON (PAGE-21).
 */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  answerError(shownError(error, request.showsForbidden), request, reply);
}

const VARY_OF_ERRORS = 'Accept, Cookie, Accept-Language';
/** The codes of the error envelopes that replace pages with these statuses. */
const CODES_OF_STATUSES: Readonly<Record<number, RefusalCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'precondition_failed',
  422: 'validation_failed',
  429: 'too_many_requests',
};

/**
 * Returns the error envelope for a page with an error status, such as a refused form, if `Accept` does not contain
 * text/html (PAGE-21), and writes the headers of the response. Returns null for all other pages and clients.
 */
export function envelopeInsteadOf(
  { status, content, headers }: View,
  request: FastifyRequest,
  reply: FastifyReply,
): string | null {
  if (status < 400 || wantsPage(request)) return null;
  const code = CODES_OF_STATUSES[status] ?? 'bad_request';
  const locale = request.reader?.locale ?? 'en';
  const texts = Object.entries((content['errors'] ?? {}) as Record<string, unknown>);
  const errors = Object.fromEntries(
    texts.flatMap(([field, text]) => (typeof text === 'string' ? [[field, [text]]] : [])),
  );
  const body: ErrorBody =
    Object.keys(errors).length > 0
      ? { message: summary(errors, locale), code, ...(status === 422 && { errors }) }
      : { message: REFUSALS[code][locale], code };
  request.refusalCode = code;
  if (hasHelpLink(status)) void reply.header('link', helpLink(request.server.baseUrl, code));
  void reply.code(status).headers(headers).header('vary', VARY_OF_ERRORS).type(JSON_TYPE);
  return JSON.stringify(body);
}

/** Renders the error pages for all paths of the service except the paths of the API. */
@Injectable()
export class ErrorPages {
  private readonly writeHeaders: (reply: FastifyReply) => void;

  constructor(
    private readonly pages: Pages,
    private readonly readers: Readers,
    private readonly routes: RouteTable,
    private readonly formPages: FormPages,
    settings: Settings,
  ) {
    this.writeHeaders = pageHeaders(settings);
  }

  /** @param plugin the Fastify plugin of the pages, which reads the session of a request for an unknown path */
  async answer(
    plugin: FastifyInstance,
    ...[status, request, reply, texts]: Parameters<SendErrorPage>
  ): ReturnType<SendErrorPage> {
    this.writeHeaders(reply);
    reply.header('vary', VARY_OF_ERRORS);
    const page = status === 404 && isReadingMethod(request.method) ? this.pageInsteadOf(request.url) : null;
    if (page !== null) return reply.redirect(this.pages.address(page), 303);
    // Only responses of page routes store the session, and with it the secret of form tokens.
    const storesSession = 'session' in request;
    const reader = await this.readerOf(plugin, request);
    const say = translator(reader.locale);
    const shownStatus = STATUSES_WITH_OWN_PAGE.find((one) => one === status) ?? (status < 500 ? 400 : 500);
    const maintenance = request.maintenance && status === 503 ? request.maintenance : null;
    const isForbidden = request.showsForbidden && status === 403;
    const isBanned = isForbidden && request.refusalCode === 'banned';
    const key = isForbidden ? 'forbidden' : (`error_${shownStatus}` as const);
    const textKey =
      key === 'error_404' && reader.user
        ? 'error_404_member_text'
        : (`${isBanned ? 'forbidden_banned' : key}_text` satisfies TextKey);
    const content = {
      title: say(maintenance ? 'maintenance' : key),
      text: maintenance ? `${say('maintenance_text')} ${maintenance.message}` : say(textKey),
      ...(texts && { title: translate(texts.title, reader.locale), text: translate(texts.text, reader.locale) }),
      shownStatus,
      // A person whom the organizer has banned may not open the page of the event either, so there is no link to it.
      back: isForbidden && !isBanned ? pageAbove(pathOf(request.url)) : null,
      next: localPath(withoutTokens(request.url)),
      hasNoForm: !(STATUSES_WITH_FORMS.has(status) && storesSession),
    };
    return reply.send(await this.pages.render(reader, reply, view(ERROR_PAGE, content, status)));
  }

  /**
   * If `url` is an address to which a form is sent, but which has no page itself, returns the page of this form.
   * Otherwise, and for the addresses of apps, returns null. After a refused form, the address bar shows the address to
   * which the form was sent. If the reader then presses Enter in the address bar, the browser requests this address by
   * GET (PAGE-116).
   */
  private pageInsteadOf(url: string): string | null {
    const path = pathOf(url);
    const methods = this.routes.allowedMethods(path);
    if (path.startsWith(FOR_PROGRAMS) || !methods.includes('POST') || methods.includes('GET')) return null;
    return this.formPages.pageOf(path);
  }

  /**
   * If reading the account fails (the database may be unavailable), the reader is treated as a visitor without an
   * account.
   */
  private async readerOf(plugin: FastifyInstance, request: FastifyRequest): Promise<Reader> {
    try {
      if (!('session' in request)) readSession(plugin, request);
      return await this.readers.readerOf(request);
    } catch {
      return this.readers.visitor(request);
    }
  }
}

/** The page of the event or group to which `path` belongs. Null for other paths. */
function pageAbove(path: string): { readonly href: string; readonly text: TextKey } | null {
  const [href, kind] = /^\/(event|group)s\/[^/]+(?=\/)/.exec(path) ?? [];
  return href === undefined ? null : { href, text: kind === 'event' ? 'back_to_event' : 'back_to_group' };
}

/** The error that the reader gets: 404 in place of 403 `forbidden` or `banned`, unless the page shows these codes. */
function shownError(error: unknown, showsForbidden: boolean): unknown {
  if (error instanceof Refusal && showsForbidden && FORBIDDEN.has(error.code)) return error;
  if (error instanceof Refusal && ANSWERED_AS_NOT_FOUND.has(error.code)) return new Refusal('not_found');
  return error instanceof InvalidFormToken ? new Refusal('forbidden') : error;
}
