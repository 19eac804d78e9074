import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateWebhookDto, UpdateWebhookDto } from '#areas/webhooks/webhook.dto';
import { DeliveriesService } from '#areas/webhooks/deliveries.service';
import { WebhooksService, type WebhookWithSecret } from '#areas/webhooks/webhooks.service';
import { CHANGE_TYPES } from '#contract/changes';
import { readInput } from '#platform/http/input';
import { idPipe, WebhookIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { chosenIn, type RawFields } from '../form/raw-fields';
import { refuseOutdated } from '../form/shown-values';
import { formValues } from '../forms';
import { CheckForm, CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import type { View } from '../view';
import { shownOf, WEBHOOK, WEBHOOKS_PAGE, WebhookView } from './webhook.view';

const DeliveryIdPipe = idPipe('webhook_delivery');

/**
 * /account/api/webhooks: the webhooks of an account, as a part of the tab “For developers”. The pages use the services
 * of the API (HOOK-13).
 */
@PageController()
@SignedInOnly()
export class WebhookPages {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly view: WebhookView,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/api/webhooks')
  list(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    return this.view.list(member, { deleted: 'deleted' in query });
  }

  @Post('account/api/webhooks')
  @CheckForm()
  create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        if (!this.view.isEligible(member)) throw new Refusal('premium_required');
        const input = await readInput(CreateWebhookDto, apiBodyOf(raw), 'json');
        return this.redirectWithSecret(await this.webhooks.create(member.caller, input), 'webhook_created');
      },
      show: (refusal) => this.view.list(member, { refusal }),
    });
  }

  @Get('account/api/webhooks/:id')
  one(
    @CurrentMember() member: Member,
    @Param('id', WebhookIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    return this.view.one(member, request, id);
  }

  @Post('account/api/webhooks/:id')
  @CheckForm()
  change(
    @CurrentMember() member: Member,
    @Param('id', WebhookIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const read = () => readInput(UpdateWebhookDto, apiBodyOf(raw), 'json');
        await this.webhooks.update(member.caller, id, read, (webhook) =>
          refuseOutdated(WEBHOOK, raw, member, shownOf(webhook)),
        );
        return this.redirectToWebhook(id, 'saved');
      },
      show: (refusal) => this.view.one(member, request, id, refusal),
    });
  }

  @Get('account/api/webhooks/:id/delete')
  askToDelete(@CurrentMember() member: Member, @Param('id', WebhookIdPipe) id: number): Promise<View> {
    return this.view.askToDelete(member, id);
  }

  @Post('account/api/webhooks/:id/delete')
  @CheckForm()
  async delete(@CurrentMember() { caller }: Member, @Param('id', WebhookIdPipe) id: number): Promise<Redirect> {
    await this.webhooks.remove(caller, id);
    return redirectTo(`${WEBHOOKS_PAGE}?deleted`);
  }

  @Post('account/api/webhooks/:id/rotate')
  @CheckForm()
  async rotate(@CurrentMember() { caller }: Member, @Param('id', WebhookIdPipe) id: number): Promise<Redirect> {
    return this.redirectWithSecret(await this.webhooks.rotate(caller, id), 'webhook_rotated');
  }

  @Post('account/api/webhooks/:id/pause')
  @CheckForm()
  async pause(@CurrentMember() { caller }: Member, @Param('id', WebhookIdPipe) id: number): Promise<Redirect> {
    return this.redirectToWebhook(id, (await this.webhooks.update(caller, id, () => ({ status: 'paused' }))).status);
  }

  @Post('account/api/webhooks/:id/activate')
  @CheckForm()
  async activate(@CurrentMember() { caller }: Member, @Param('id', WebhookIdPipe) id: number): Promise<Redirect> {
    return this.redirectToWebhook(id, (await this.webhooks.update(caller, id, () => ({ status: 'active' }))).status);
  }

  @Post('account/api/webhooks/:id/test')
  @CheckForm()
  async test(@CurrentMember() { caller }: Member, @Param('id', WebhookIdPipe) id: number): Promise<Redirect> {
    await this.deliveries.test(caller, id);
    return this.redirectToWebhook(id, 'tested');
  }

  @Post('account/api/webhooks/:id/deliveries/:delivery/retry')
  @CheckForm()
  async retry(
    @CurrentMember() { caller }: Member,
    @Param('id', WebhookIdPipe) id: number,
    @Param('delivery', DeliveryIdPipe) delivery: number,
  ): Promise<Redirect> {
    await this.deliveries.retry(caller, id, delivery);
    return this.redirectToWebhook(id, 'sent');
  }

  private redirectToWebhook(id: number, done: string): Redirect {
    return redirectTo(`${WEBHOOKS_PAGE}/${this.wire.id('webhook', id)}?${done}`);
  }

  /** Redirects to the page of the webhook, which shows the secret once. */
  private redirectWithSecret(
    { webhook, secret }: WebhookWithSecret,
    done: 'webhook_created' | 'webhook_rotated',
  ): Redirect {
    return redirectTo(`${WEBHOOKS_PAGE}/${this.wire.id('webhook', webhook.id)}`, done).withSecret(secret);
  }
}

/** Converts the form to the body of the API's request. If no type is selected, the webhook receives all types. */
function apiBodyOf(raw: RawFields): object {
  const { url, description } = formValues(raw);
  const types = chosenIn(raw, 'types', CHANGE_TYPES);
  const orNull = (value: string | undefined) => (value === undefined || value.trim() === '' ? null : value);
  return { url: orNull(url), types: types.length > 0 ? types : null, description: orNull(description) };
}
