import type { FastifyReply } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import { translate } from '#platform/messages/messages';
import { formRefusal } from './form/form-refusal';

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
export function refusedBy(error: unknown, locale: Locale, reply: FastifyReply): Refused {
  // `banned` concerns the event that the reader adds to the page of a group, and not this page.
  const { status, headers, text, errors } = formRefusal(error, {}, locale, false, ['banned']);
  reply.headers(headers);
  const [first] = Object.values(errors).flat();
  return { status, text: first ? translate(first, locale) : text };
}
