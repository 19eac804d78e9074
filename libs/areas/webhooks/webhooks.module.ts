import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { DeliveriesService } from './deliveries.service';
import { WebhookSending } from './webhook-sending';
import { WebhookTries } from './webhook-tries';
import { WebhooksController } from './webhooks.controller';
import { WebhooksReader } from './webhooks.reader';
import { WebhooksService } from './webhooks.service';
import { WebhooksSweepJob } from './webhooks-sweep.job';

@Module({
  imports: [ChangesModule, NotificationsModule],
  controllers: [WebhooksController],
  providers: [DeliveriesService, WebhookSending, WebhookTries, WebhooksReader, WebhooksService, WebhooksSweepJob],
  exports: [DeliveriesService, WebhookSending, WebhooksReader, WebhooksService, WebhooksSweepJob],
})
export class WebhooksModule {}
