import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { idPipe, partIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { DeliveriesService } from './deliveries.service';
import { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto';
import { DeliveryResource, deliveryResource, WebhookResource, webhookResource, WebhookWithSecretResource } from './webhook.resource';
import { WebhooksService, type FreshWebhook } from './webhooks.service';

const WebhookIdPipe = idPipe('webhook');

/** HOOK-1 to HOOK-8. */
@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly wire: WireFormat,
  ) {}

  /** One's webhooks, the oldest first. */
  @Get()
  @AnswersPage(WebhookResource)
  async listWebhooks(@CurrentCaller() caller: Caller, @QueryInput(PageQueryDto) query: Input<PageQueryDto>): Promise<Page<WebhookResource>> {
    return (await this.webhooks.list(caller.id, query.read())).map((row) => webhookResource(row, this.wire));
  }

  /** Has one's changes posted to an address from now on; the secret is shown this once. */
  @Post()
  @Answers(WebhookWithSecretResource, { status: 201 })
  @Refuses('webhook_limit_reached')
  async createWebhook(@CurrentCaller() caller: Caller, @BodyInput(CreateWebhookDto) body: Input<CreateWebhookDto>): Promise<One<WebhookWithSecretResource>> {
    return one(this.withSecret(await this.webhooks.create(caller.id, body.read())));
  }

  /** One webhook. */
  @Get(':id')
  @Answers(WebhookResource)
  async getWebhook(@CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number): Promise<One<WebhookResource>> {
    return one(webhookResource(await this.webhooks.one(caller.id, id), this.wire));
  }

  /** Changes a webhook; one that was paused goes on from now with `active`. */
  @Patch(':id')
  @Answers(WebhookResource)
  async updateWebhook(
    @CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number, @BodyInput(UpdateWebhookDto) body: Input<UpdateWebhookDto>,
  ): Promise<One<WebhookResource>> {
    return one(webhookResource(await this.webhooks.update(caller.id, id, () => body.read()), this.wire));
  }

  /** Deletes a webhook with its deliveries. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  async deleteWebhook(@CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number): Promise<void> {
    await this.webhooks.remove(caller.id, id);
  }

  /** Another secret, shown this once; the one before signs too for 24 hours. */
  @Post(':id/rotate')
  @HttpCode(200)
  @Answers(WebhookWithSecretResource)
  async rotateWebhookSecret(@CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number): Promise<One<WebhookWithSecretResource>> {
    return one(this.withSecret(await this.webhooks.rotate(caller.id, id)));
  }

  /** Sends a message of the type `webhook.test` at once. */
  @Post(':id/test')
  @HttpCode(202)
  @Answers(DeliveryResource, { status: 202 })
  async testWebhook(@CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number): Promise<One<DeliveryResource>> {
    return one(deliveryResource(await this.deliveries.test(caller.id, id), this.wire));
  }

  /** Messages and what became of them, the newest first. */
  @Get(':id/deliveries')
  @AnswersPage(DeliveryResource)
  async listWebhookDeliveries(
    @CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number, @QueryInput(PageQueryDto) query: Input<PageQueryDto>,
  ): Promise<Page<DeliveryResource>> {
    return (await this.deliveries.list(caller.id, id, () => query.read())).map((row) => deliveryResource(row, this.wire));
  }

  /** Sends a message again at once, also one that was delivered. */
  @Post(':id/deliveries/:deliveryId/retry')
  @HttpCode(202)
  @Answers(DeliveryResource, { status: 202 })
  async retryWebhookDelivery(
    @CurrentCaller() caller: Caller, @Param('id', WebhookIdPipe) id: number, @Param('deliveryId', partIdPipe('webhook_delivery')) deliveryId: number,
  ): Promise<One<DeliveryResource>> {
    return one(deliveryResource(await this.deliveries.retry(caller.id, id, deliveryId), this.wire));
  }

  private withSecret({ webhook, secret }: FreshWebhook): WebhookWithSecretResource {
    return { ...webhookResource(webhook, this.wire), secret };
  }
}
