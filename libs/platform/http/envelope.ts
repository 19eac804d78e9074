import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFUSALS, SERVICE_UNAVAILABLE, type RefusalCode } from '#contract/refusals';
import type { Locale } from '#contract/vocabulary';
import { LIMITS } from '#contract/limits';
import { isUnavailable } from '../database/availability';
import { hasHelpLink, helpLink } from './help-link';
import { challengeOf } from './challenge';
import { translate, type Text } from '../messages/messages';
import { wantsPage } from './error-pages';
import { Refusal, type FieldErrors } from './refusal';
import { ServiceBusy } from '../capacity/service-busy';
import { unreadable } from './json-body';
import { JSON_TYPE, localeOf } from './wire-headers';

/** `Retry-After` in seconds if the database is unavailable. */
const RETRY_AFTER_SECONDS = 2;

/** The error envelope (WIRE-35). It contains `errors` only for `validation_failed`. */
export interface ErrorBody {
  message: string;
  code: RefusalCode;
  errors?: Record<string, string[]>;
}

/** The parts of an error's response. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/**
 * Sends error responses: for refusals, Fastify's own errors, unknown routes, database failures and unexpected errors.
 * Nest calls this filter for errors in handlers, and for errors of Fastify before a handler runs. Fastify's option
 * `frameworkErrors` calls `answerError` directly. Input that is not valid HTTP is refused in broken-http.ts.
 */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

const log = new Logger('Errors');

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return;
  const { status, headers, body } = envelopeOf(error, localeOf(request), request);
  request.refusalCode = body.code;
  const { sendErrorPage } = request.server;
  logFailure(status, error, request);
  const send = (): void => {
    // A handler may have allowed caches to store its response. Caches must not show the error after the failure is
    // over.
    if (status >= 500 && /^public/.test(String(reply.getHeader('cache-control'))))
      void reply.header('cache-control', 'no-store');
    if (hasHelpLink(status)) void reply.header('link', helpLink(request.server.baseUrl, body.code));
    void reply.code(status).headers(headers).type(JSON_TYPE).send(JSON.stringify(body));
  };
  if (!sendErrorPage || !wantsPage(request)) return send();
  // A page for a reader with a session needs the database. If the page cannot be rendered, the error envelope is sent
  // instead.
  sendErrorPage(status, request, reply.headers(headers)).catch((failure: unknown) => {
    logFailure(500, failure, request);
    if (!reply.sent) send();
  });
}

function logFailure(status: number, error: unknown, { id, maintenance }: FastifyRequest): void {
  if (status === 500) log.error({ err: error, request_id: id }, 'unexpected error');
  // Maintenance is not logged, because it is not a failure and refuses many requests.
  else if (status === 503 && !maintenance) log.warn({ err: error, request_id: id }, 'unavailable');
}

/** Returns the status, headers and body of an error response. */
export function envelopeOf(error: unknown, locale: Locale, request: FastifyRequest | null = null): Answer {
  const refusal = asRefusal(error);
  if (refusal) return refusalAnswer(refusal, locale, request);
  if (error instanceof ServiceBusy) return unavailableAnswer(error.retryAfter, locale, error.text);
  if (isUnavailable(error)) return unavailableAnswer(RETRY_AFTER_SECONDS, locale);
  return {
    status: REFUSALS.server_error.status,
    headers: {},
    body: { message: REFUSALS.server_error[locale], code: 'server_error' },
  };
}

function unavailableAnswer(retryAfter: number, locale: Locale, text: Text | null = null): Answer {
  return {
    status: SERVICE_UNAVAILABLE.status,
    headers: { 'retry-after': String(retryAfter) },
    body: { message: text ? translate(text, locale) : SERVICE_UNAVAILABLE[locale], code: SERVICE_UNAVAILABLE.code },
  };
}

function refusalAnswer(refusal: Refusal, locale: Locale, request: FastifyRequest | null): Answer {
  const { code, details } = refusal;
  const headers: Record<string, string> = {};
  if (details.retryAfter !== undefined)
    headers['retry-after'] = String(Math.max(LIMITS.requests.retry_after_min, Math.ceil(details.retryAfter)));
  if (details.etag) headers.etag = details.etag;
  if (details.allow) headers.allow = details.allow.join(', ');
  const { status } = REFUSALS[code];
  const challenge = challengeOf(refusal, request);
  if (challenge !== null) headers['www-authenticate'] = challenge;
  if (!details.errors) return { status, headers, body: { message: REFUSALS[code][locale], code } };
  const errors = translateErrors(details.errors, locale);
  return { status, headers, body: { message: summary(errors, locale), code, errors } };
}

function translateErrors(errors: FieldErrors, locale: Locale): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [field, texts.map((text) => translate(text, locale))]),
  );
}

/** The text of the first error, and the number of further errors (WIRE-35). */
export function summary(errors: Record<string, string[]>, locale: Locale): string {
  const [first = REFUSALS.validation_failed[locale], ...others] = Object.values(errors).flat();
  return others.length === 0
    ? first
    : `${first} ${translate({ key: 'and_more', values: { count: others.length } }, locale)}`;
}

/** Returns a refusal unchanged, and converts 4xx errors of Fastify and Nest to refusals. Null for other errors. */
function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const status = statusOf(error);
  switch (status) {
    // 403: the path leads out of a folder with served files.
    case 403:
    case 404:
      return new Refusal('not_found');
    case 405:
      return new Refusal('method_not_allowed');
    case 413:
      return new Refusal('payload_too_large');
    case 414:
      return new Refusal('not_found');
    default:
      return status >= 400 && status < 500 ? unreadable() : null;
  }
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 0;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of the response, for metrics, traces and the log of requests; null if there is no error. */
    refusalCode: RefusalCode | null;
  }
}
