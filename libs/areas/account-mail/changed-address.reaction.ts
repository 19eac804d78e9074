import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/config/settings';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import type { UserEmailChanged } from '../identity/user.signal';
import { NOTIFY_FORMER_ADDRESS } from './account-mail.query';

/**
 * Requests a mail to the former address of an account when the address was changed or removed by the person or by an
 * operator (MAIL-8). Without a mail server, requests nothing.
 */
@Injectable()
export class NotifyFormerAddress implements Reaction<UserEmailChanged> {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async react(tx: Transaction, { userId, former, name, locale }: UserEmailChanged): Promise<void> {
    if (this.settings.smtpUrl !== null)
      await tx.rows(NOTIFY_FORMER_ADDRESS, [former, locale, userId, name, this.clock.now()]);
  }
}
