import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import type { UserCredentialsChanged } from '../identity/user.signal';
import { VOID_LINKS } from './account-mail.query';

/**
 * When the password or the e-mail address of an account changes, invalidates the account's links for setting a new
 * password and for confirming a changed address, including links whose mail has not been sent yet (MAIL-6).
 */
@Injectable()
export class VoidAccountLinks implements Reaction<UserCredentialsChanged> {
  constructor(private readonly clock: Clock) {}

  async react(tx: Transaction, { userId, addresses }: UserCredentialsChanged): Promise<void> {
    await tx.rows(VOID_LINKS, [userId, addresses, this.clock.now()]);
  }
}
