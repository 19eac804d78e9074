import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { CachedFile, fileBody } from './cached-file';
import { envelopeInsteadOf } from './error-pages';
import { Pages } from './pages';
import { Redirect } from './redirect';
import { storeFlash, storeSecret } from './session';
import { View } from './view';

/** `@ReadsReplica()`: the handler only reads, so its data may come from a replica of the database. */
export const ReadsReplica = Reflector.createDecorator<void, true>({ transform: () => true });

/**
 * Creates the response of a page route from the handler's result. A `View` is rendered as HTML, or becomes an error
 * envelope (`envelopeInsteadOf`). A `Redirect` becomes a 303, or a 204 if a script has sent the form. A `CachedFile`
 * becomes a 200 or 304. Nest sends any other result as it is.
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(
    private readonly pages: Pages,
    private readonly reads: ReadingDatabase,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const respond = async (): Promise<unknown> => this.bodyOf(await lastValueFrom(next.handle()), request, reply);
    if (!this.reflector.get(ReadsReplica, context.getHandler())) return from(respond());
    // If `respond` throws on a replica (except after a statement timeout), `respond` runs again on the primary. A
    // second run is safe: the handler writes nothing, and the only write during rendering marks notices as read.
    const { reader } = request;
    return from(reader ? this.reads.during(respond, reader.user?.id ?? null) : this.reads.during(respond));
  }

  private async bodyOf(result: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (result instanceof View)
      return (
        envelopeInsteadOf(result, request, reply) ??
        this.pages.render(readerOf(request), reply.headers(result.headers), result)
      );
    if (result instanceof CachedFile) return fileBody(request, reply, result);
    if (!(result instanceof Redirect)) return result;
    if (result.flash) storeFlash(request, result.flash, result.path);
    if (result.secret !== null) storeSecret(request, { of: result.path, secret: result.secret });
    const address = this.pages.address(result.path);
    // The script's request would follow a redirect automatically. So the script, not the person, would get the page
    // with the message.
    if (isUploadedByScript(request)) reply.code(204).header('x-location', address);
    else reply.code(303).header('location', address);
    return undefined;
  }
}

/** Whether form.js sent the form. The script sends forms with files, to show the progress (PAGE-111). */
function isUploadedByScript({ headers }: FastifyRequest): boolean {
  return headers['x-requested-with'] === 'upload';
}

function readerOf({ reader }: FastifyRequest): NonNullable<FastifyRequest['reader']> {
  if (!reader) throw new Error('A handler returned a view, but its controller is not a @PageController().');
  return reader;
}
