import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf, isNamedBy } from '#platform/http/entity-tags';
import { icalendarOf, type CalendarDocument } from './icalendar';

/** Public calendars are for every cache, the others only for who asks; all ask again each time, at the price of a 304. */
export type CalendarAudience = 'public' | 'private';

/** Answers with the calendar's file, or 304 to who has it already. */
export function answerCalendar(request: FastifyRequest, reply: FastifyReply, calendar: CalendarDocument, audience: CalendarAudience): FastifyReply {
  return answerFile(request, reply, { type: 'text/calendar; charset=utf-8', content: icalendarOf(calendar), audience });
}

interface File {
  readonly type: string;
  readonly content: string;
  readonly audience: CalendarAudience;
}

function answerFile({ headers }: FastifyRequest, reply: FastifyReply, { type, content, audience }: File): FastifyReply {
  const etag = entityTagOf(content);
  reply.headers({ etag, 'cache-control': `${audience}, no-cache` });
  if (isNamedBy(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(content);
}
