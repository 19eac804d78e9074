import { Global, Module, type DynamicModule } from '@nestjs/common';
import { MailDelivery, OWN_MAILBOX } from './mail-delivery';
import type { Mailbox } from './mailbox';

@Global()
@Module({})
export class MailModule {
  /** `mailbox`: receives the mails instead of the mail server, for the sandbox. */
  static with(mailbox?: Mailbox): DynamicModule {
    return {
      module: MailModule,
      providers: [MailDelivery, { provide: OWN_MAILBOX, useValue: mailbox ?? null }],
      exports: [MailDelivery],
    };
  }
}
