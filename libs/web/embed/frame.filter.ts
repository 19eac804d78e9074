import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { answerFailure } from '../error-pages';
import { Pages } from '../pages';
import { translator } from '../texts';
import { view } from '../view';

/**
 * Answers a 404 of a framed page with a short page, which other sites may show in a frame too. All other errors are
 * answered as on other pages.
 */
@Catch()
export class FrameFilter implements ExceptionFilter {
  constructor(private readonly pages: Pages) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const { reader } = request;
    if (!reader || !(error instanceof Refusal) || error.code !== 'not_found')
      return answerFailure(error, request, reply);
    const say = translator(reader.locale);
    const content = { title: say('error_404'), theme: 'auto', hasNoForm: true };
    void reply.send(await this.pages.render(reader, reply, view('embed-missing', content, 404)));
  }
}
