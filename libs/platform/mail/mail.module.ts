import { Global, Module, type DynamicModule } from '@nestjs/common';
import { MailDelivery, REPLACEMENT_MAILBOX } from './mail-delivery';
import type { Mailbox } from './mailbox';

@Global()
@Module({})
export class MailModule {
  /** `mailbox` replaces the mail server; only the sandbox sets it. */
  static with(mailbox?: Mailbox): DynamicModule {
    return {
      module: MailModule,
      providers: [MailDelivery, { provide: REPLACEMENT_MAILBOX, useValue: mailbox ?? null }],
      exports: [MailDelivery],
    };
  }
}
