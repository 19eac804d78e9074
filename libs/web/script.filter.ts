import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';

/**
 * Answers a refused request of a page's script with the refusal's status, and with the API's error as JSON in the
 * reader's language.
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
