import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '#platform/loading/lazily';
import { answerFile, type Audience } from '../answer-file';
import type { CalendarDocument } from './icalendar';

const icalendar = lazily<typeof import('./icalendar')>(__filename, './icalendar');

/** Sends the calendar's file, or 304. */
export function answerCalendar(
  request: FastifyRequest,
  reply: FastifyReply,
  calendar: CalendarDocument,
  audience: Audience,
): FastifyReply {
  return answerFile(request, reply, {
    type: 'text/calendar; charset=utf-8',
    content: icalendar().icalendarOf(calendar),
    audience,
  });
}
