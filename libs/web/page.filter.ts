import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFailure } from './error-pages';
import { ExpiredForms } from './form/expired-forms';
import { SessionExpired } from './form/session-expired';
import { Pages } from './pages';
import { SignInRequired } from './sign-in-required';

/**
 * Answers the errors that guards, pipes and handlers of pages throw. If a form was sent after the sender's session had
 * ended, the response is a 401 page with the sign-in form and the typed values. If the page requires signing in, the
 * response is a redirect to the sign-in form. Other errors get an error page, or the API's error as JSON if the client
 * does not accept HTML.
 */
@Catch()
export class PageFilter implements ExceptionFilter {
  constructor(
    private readonly pages: Pages,
    private readonly expired: ExpiredForms,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    if (error instanceof SessionExpired && request.reader) {
      this.expired
        .answer(error, request.reader, request, reply)
        .catch((failure: unknown) => answerFailure(failure, request, reply));
      return;
    }
    if (!(error instanceof SignInRequired)) return answerFailure(error, request, reply);
    const next = error.next === null ? '' : `?next=${encodeURIComponent(error.next)}`;
    void reply.redirect(this.pages.address(`/sign-in${next}`), 303);
  }
}
