import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';

/**
 * Answers a refused request of a page's script with the response of the API: the refusal's status and headers, and the
 * error as JSON. The message is in the reader's language, or in English if the request has no reader.
 */
@Catch(Refusal)
export class ScriptFilter implements ExceptionFilter<Refusal> {
  catch(refusal: Refusal, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { locale } = http.getRequest<FastifyRequest>().reader ?? { locale: 'en' };
    const { status, headers, body } = envelopeOf(refusal, locale);
    void http.getResponse<FastifyReply>().code(status).headers(headers).send(body);
  }
}
