import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refuses } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import { localeOf } from '#platform/http/wire-headers';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { AnswersChanges, changesBody, type ChangesBody } from './changes.body';
import { ChangesQueryDto } from './changes.dto';
import { ChangesService } from './changes.service';
import { asksForStream, beginEventStream } from './live/event-stream';
import { StreamsService } from './live/streams.service';

@ApiTags('Changes')
@Controller('changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly streams: StreamsService,
  ) {}

  /**
   * Lists, in order, what has happened to everything that concerns you. Without `cursor` the feed begins now: store
   * `meta.cursor` and send it with the next request. With `wait`, the request waits for a change, but at most for this
   * number of seconds; with `Accept: text/event-stream` the answer is a stream. Changes about data that the scopes of
   * the token do not cover are left out. An account can have 3 streams (`streams` of GET /limits) and 10 waiting
   * requests at a time; a further one gets 429 `too_many_requests`. If you already have 3 streams, use `wait`. Changes
   * are stored for 30 days. /docs/changes describes every type.
   */
  @Get()
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'only for a stream: the stream continues after this id. Takes precedence over `cursor`',
    schema: { type: 'string' },
  })
  @AnswersChanges()
  @Refuses('cursor_expired')
  async listChanges(
    @CurrentCaller() caller: Caller,
    @QueryInput(ChangesQueryDto) input: Input<ChangesQueryDto>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = input.read();
    const { authorization, 'last-event-id': last } = request.headers;
    const locale = localeOf(request);
    if (query.include) void reply.header('cache-control', 'no-store');
    if (!asksForStream(request)) {
      const body: ChangesBody = changesBody(
        await this.changes.page(caller, query, { authorization, locale, gone: disconnectSignalOf(reply) }),
      );
      await reply.send(body);
      return;
    }
    // An empty `Last-Event-ID` counts as absent, like an empty `cursor` (WIRE-14).
    const lastId = (Array.isArray(last) ? last.join() : last) || undefined;
    const stream = await this.changes.stream(caller, query, lastId, { authorization, locale });
    beginEventStream(reply);
    await this.streams.run(stream, reply.raw);
  }
}

function disconnectSignalOf(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}
