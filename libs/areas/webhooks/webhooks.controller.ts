import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { partIdPipe, WebhookIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { DeliveriesService } from './deliveries.service';
import { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto';
import {
  DeliveryResource,
  deliveryResource,
  WebhookResource,
  webhookResource,
  WebhookWithSecretResource,
} from './webhook.resource';
import { WebhooksService, type WebhookWithSecret } from './webhooks.service';

/** The API of webhooks (HOOK-1 to HOOK-8). */
@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly wire: WireFormat,
  ) {}

  /** Lists your webhooks without their secrets. Oldest first. */
  @Get()
  @AnswersPage(WebhookResource)
  async listWebhooks(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) query: Input<PageQueryDto>,
  ): Promise<Page<WebhookResource>> {
    return (await this.webhooks.list(caller, query.read())).map((row) => webhookResource(row, this.wire));
  }

  /**
   * Creates a webhook, which from now on sends the entries of your feed of changes to an address. The secret is shown
   * in this answer only. An account can have five webhooks; another webhook is refused with 409
   * `webhook_limit_reached`. While too many host names are being resolved for the account, the answer is 429
   * `too_many_requests` with `Retry-After`. /docs/webhooks describes the messages.
   */
  @Post()
  @Answers(WebhookWithSecretResource, { status: 201 })
  @Refuses('webhook_limit_reached')
  async createWebhook(
    @CurrentCaller() caller: Caller,
    @BodyInput(CreateWebhookDto) body: Input<CreateWebhookDto>,
  ): Promise<One<WebhookWithSecretResource>> {
    return one(this.withSecret(await this.webhooks.create(caller, body.read())));
  }

  /** Shows one of your webhooks. The answer does not contain the secret. */
  @Get(':id')
  @Answers(WebhookResource)
  async getWebhook(
    @CurrentCaller() caller: Caller,
    @Param('id', WebhookIdPipe) id: number,
  ): Promise<One<WebhookResource>> {
    return one(webhookResource(await this.webhooks.find(caller, id), this.wire));
  }

  /**
   * Changes a webhook. Absent fields are not changed. With `status: active`, a paused webhook sends the changes that
   * happen from now on. Its messages that were waiting get the status `failed` and are not sent; `/changes` contains
   * the changes that were not sent. A new address is checked as in `POST /webhooks`, with the same refusals.
   */
  @Patch(':id')
  @Answers(WebhookResource)
  async updateWebhook(
    @CurrentCaller() caller: Caller,
    @Param('id', WebhookIdPipe) id: number,
    @BodyInput(UpdateWebhookDto) body: Input<UpdateWebhookDto>,
  ): Promise<One<WebhookResource>> {
    return one(webhookResource(await this.webhooks.update(caller, id, () => body.read()), this.wire));
  }

  /** Deletes a webhook with its deliveries. Waiting messages are not sent. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  async deleteWebhook(@CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number): Promise<void> {
    await this.webhooks.remove(caller, id);
  }

  /**
   * Replaces the secret of a webhook. The new secret is shown in this answer only. For 24 hours, messages are signed
   * with the new and with the former secret.
   */
  @Post(':id/rotate')
  @HttpCode(200)
  @Answers(WebhookWithSecretResource)
  async rotateWebhookSecret(
    @CurrentCaller() caller: Caller,
    @Param('id', WebhookIdPipe) id: number,
  ): Promise<One<WebhookWithSecretResource>> {
    return one(this.withSecret(await this.webhooks.rotate(caller, id)));
  }

  /**
   * Sends a message of the type `webhook.test` immediately. There is one attempt, independent of the webhook's `types`
   * and `status`.
   */
  @Post(':id/test')
  @HttpCode(202)
  @Answers(DeliveryResource, { status: 202 })
  async testWebhook(
    @CurrentCaller() caller: Caller,
    @Param('id', WebhookIdPipe) id: number,
  ): Promise<One<DeliveryResource>> {
    return one(deliveryResource(await this.deliveries.test(caller, id), this.wire));
  }

  /**
   * Lists the messages of a webhook and their results. The newest message comes first. Messages are kept for 30 days.
   */
  @Get(':id/deliveries')
  @AnswersPage(DeliveryResource)
  async listWebhookDeliveries(
    @CurrentCaller() caller: Caller,
    @Param('id', WebhookIdPipe) id: number,
    @QueryInput(PageQueryDto) query: Input<PageQueryDto>,
  ): Promise<Page<DeliveryResource>> {
    return (await this.deliveries.list(caller, id, () => query.read())).map((row) => deliveryResource(row, this.wire));
  }

  /** Sends a message again immediately, even if it was delivered. Its `webhook-id` does not change. */
  @Post(':id/deliveries/:deliveryId/retry')
  @HttpCode(202)
  @Answers(DeliveryResource, { status: 202 })
  async retryWebhookDelivery(
    @CurrentCaller() caller: Caller,
    @Param('id', WebhookIdPipe) id: number,
    @Param('deliveryId', partIdPipe('webhook_delivery')) deliveryId: number,
  ): Promise<One<DeliveryResource>> {
    return one(deliveryResource(await this.deliveries.retry(caller, id, deliveryId), this.wire));
  }

  private withSecret({ webhook, secret }: WebhookWithSecret): WebhookWithSecretResource {
    return { ...webhookResource(webhook, this.wire), secret };
  }
}
