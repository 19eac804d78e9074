import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CreateWebhookDto, UpdateWebhookDto } from '#areas/webhooks/webhook.dto';
import { DeliveriesService } from '#areas/webhooks/deliveries.service';
import { WebhooksService, type FreshWebhook } from '#areas/webhooks/webhooks.service';
import { CHANGE_TYPES } from '#contract/changes';
import type { WebhookStatus } from '#contract/vocabulary';
import { readInput } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { fieldErrors, formValues, type FormValues } from '../forms';
import { Pages } from '../pages';
import { keepSecret, ownForms } from '../session';
import { SignedIn, type Member } from './signed-in';
import { WEBHOOKS_PAGE, WebhookView } from './webhook.view';

/** What is done to one webhook by a button, and what the page says then. */
type WebhookAction = (
  member: Member,
  id: number,
  request: FastifyRequest,
) => Promise<'tested' | 'paused' | 'active' | 'sent'>;

/** /account/api/webhooks: the webhooks of the API tab, by the same services as the API (HOOK-13). */
@Injectable()
export class WebhookPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly view: WebhookView,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    const one = `${WEBHOOKS_PAGE}/:id`;
    fastify.get(
      WEBHOOKS_PAGE,
      this.signedIn.only((member, reply, { query }) =>
        this.view.list(member, reply, { deleted: 'deleted' in (query as object) }),
      ),
    );
    fastify.post(
      WEBHOOKS_PAGE,
      ours,
      this.signedIn.only((member, reply, request) => this.create(member, reply, request)),
    );
    fastify.get(
      one,
      this.signedIn.only((member, reply, request) => this.view.one(member, reply, request, this.idOf(request))),
    );
    fastify.post(
      one,
      ours,
      this.signedIn.only((member, reply, request) => this.change(member, reply, request)),
    );
    fastify.get(
      `${one}/delete`,
      this.signedIn.only((member, reply, request) => this.view.askToDelete(member, reply, this.idOf(request))),
    );
    fastify.post(
      `${one}/delete`,
      ours,
      this.signedIn.only(async ({ user }, reply, request) => {
        await this.webhooks.remove(user.id, this.idOf(request));
        return this.pages.goTo(reply, `${WEBHOOKS_PAGE}?deleted`);
      }),
    );
    fastify.post(
      `${one}/rotate`,
      ours,
      this.signedIn.only(async ({ user }, reply, request) => {
        return this.showSecret(request, reply, await this.webhooks.rotate(user.id, this.idOf(request)));
      }),
    );

    const serveAction = (path: string, act: WebhookAction) =>
      fastify.post(
        `${one}/${path}`,
        ours,
        this.signedIn.only(async (member, reply, request) => {
          const id = this.idOf(request);
          return this.pages.goTo(
            reply,
            `${WEBHOOKS_PAGE}/${this.wire.id('webhook', id)}?${await act(member, id, request)}`,
          );
        }),
      );
    const become =
      (status: WebhookStatus): WebhookAction =>
      async ({ user }, id) =>
        (await this.webhooks.update(user.id, id, () => ({ status }))).status;
    serveAction('pause', become('paused'));
    serveAction('activate', become('active'));
    serveAction('test', async ({ user }, id) => {
      await this.deliveries.test(user.id, id);
      return 'tested';
    });
    serveAction('deliveries/:delivery/retry', async ({ user }, id, { params }) => {
      const delivery = this.wire.ids.decode('webhook_delivery', (params as { delivery: string }).delivery);
      if (delivery === null) throw new Refusal('not_found');
      await this.deliveries.retry(user.id, id, delivery);
      return 'sent';
    });
  }

  private async create(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const values = formValues(request.body);
    if (!this.view.isEligible(member)) return this.view.list(member, reply, {}, 403);
    try {
      return await this.showSecret(
        request,
        reply,
        await this.webhooks.create(member.user.id, await readInput(CreateWebhookDto, sentBy(values), 'json')),
      );
    } catch (error) {
      if (error instanceof Refusal && error.code === 'webhook_limit_reached')
        return this.view.list(member, reply, { values, isFull: true }, 409);
      return this.view.list(member, reply, { values, errors: fieldErrors(error, member.locale) }, 422);
    }
  }

  private async change(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const id = this.idOf(request);
    const values = formValues(request.body);
    try {
      await this.webhooks.update(member.user.id, id, () => readInput(UpdateWebhookDto, sentBy(values), 'json'));
    } catch (error) {
      return this.view.one(member, reply, request, id, { values, errors: fieldErrors(error, member.locale) }, 422);
    }
    return this.pages.goTo(reply, `${WEBHOOKS_PAGE}/${this.wire.id('webhook', id)}?saved`);
  }

  /** On the webhook's page, this once: sent again, the form makes no second one without saying so. */
  private async showSecret(
    request: FastifyRequest,
    reply: FastifyReply,
    { webhook, secret }: FreshWebhook,
  ): Promise<FastifyReply> {
    const id = this.wire.id('webhook', webhook.id);
    keepSecret(request, { of: id, secret });
    return this.pages.goTo(reply, `${WEBHOOKS_PAGE}/${id}`);
  }

  private idOf({ params }: FastifyRequest): number {
    const id = this.wire.ids.decode('webhook', (params as { id: string }).id);
    if (id === null) throw new Refusal('not_found');
    return id;
  }
}

/** The form as the API's body: no type ticked is all of them. */
function sentBy(values: FormValues): object {
  const types = CHANGE_TYPES.filter((type) => values[`type_${type}`] === '1');
  const orNull = (value: string | undefined) => (value === undefined || value.trim() === '' ? null : value);
  return { url: orNull(values.url), types: types.length > 0 ? types : null, description: orNull(values.description) };
}
