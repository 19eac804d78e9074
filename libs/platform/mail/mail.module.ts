import { Global, Module } from '@nestjs/common';
import { MailDelivery } from './mail-delivery';

@Global()
@Module({ providers: [MailDelivery], exports: [MailDelivery] })
export class MailModule {}
