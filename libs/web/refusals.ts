import type { FastifyReply } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import type { RefusalCode } from '#contract/refusals';
import { formRefusal } from './form/form-refusal';
import { errorsForPeople } from './forms';

/** The refusal of a form, which the page of the form shows. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  /** The typed value of the form's field, which the page shows again. */
  readonly typed?: string;
}

/**
 * Returns the refusal of a form whose page shows a single message, and writes the headers of the refusal. Like
 * `formRefusal`, throws errors again that the page does not show.
 */
export function refusedBy(
  error: unknown,
  locale: Locale,
  reply: FastifyReply,
  formCodes: readonly RefusalCode[] = [],
): Refused {
  const { status, headers, text, errors } = formRefusal(error, {}, locale, false, formCodes);
  reply.headers(headers);
  const [first] = Object.values(errorsForPeople(errors, locale));
  return { status, text: first ?? text };
}
