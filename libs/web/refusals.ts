import type { FastifyReply } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';

/** The refusal of a form, which the page of the form shows. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  /** The typed value of the form's field, which the page shows again. */
  readonly typed?: string;
}

/** Codes that are answered with an error page, because the reader may not see or use the page of the form. */
const ANSWERED_BY_ERROR_PAGE: ReadonlySet<string> = new Set(['not_found', 'forbidden']);

/**
 * Returns the refusal of a form, which the page of the form then shows, and writes the headers of the refusal. Rethrows
 * refusals whose code is in `ANSWERED_BY_ERROR_PAGE`, and errors that are not refusals.
 */
export function refusedBy(error: unknown, locale: Locale, reply: FastifyReply): Refused {
  if (!(error instanceof Refusal) || ANSWERED_BY_ERROR_PAGE.has(error.code)) throw error;
  const { status, headers, body } = envelopeOf(error, locale);
  reply.headers(headers);
  const [first] = Object.values(body.errors ?? {}).flat();
  return { status, text: first ?? body.message };
}
