import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { Pages } from '../pages';
import { translator } from '../texts';

/**
 * /unsubscribe/KEY/KIND: GET asks, POST stops mails of that kind (NOTE-8). Mail programs post by themselves (RFC 8058), in any form of
 * a body, from nowhere and without a session; so the key is all that is asked for, and nothing else can be done with it.
 */
@Injectable()
export class UnsubscribePages {
  constructor(
    private readonly pages: Pages,
    private readonly choices: MailChoicesCommands,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get('/unsubscribe/:key/:kind', async (request, reply) => this.show(request, reply, false));
    void fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: LIMITS.accounts.form_bytes },
        (_request, _body, done) => done(null, null),
      );
      scope.post('/unsubscribe/:key/:kind', async (request, reply) => this.show(request, reply, true));
    });
  }

  private async show(request: FastifyRequest, reply: FastifyReply, stop: boolean): Promise<FastifyReply> {
    const { key, kind: named } = request.params as { key: string; kind: string };
    const kind = await this.choices.kindOf(key, named);
    if (!kind) throw new Refusal('not_found');
    if (stop) await this.choices.stop(key, kind);
    const reader = await this.pages.reader(request);
    const say = translator(reader.locale);
    return this.pages.show(reader, reply, 'unsubscribe', {
      title: say(stop ? 'stopped' : 'stop_title'),
      kind: say(`kind_${kind}`),
      stopped: stop,
      path: `/unsubscribe/${key}/${kind}`,
    });
  }
}
