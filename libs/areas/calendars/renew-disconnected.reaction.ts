import { Injectable } from '@nestjs/common';
import { allows } from '#contract/scopes';
import { statement, type Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { AppDisconnected, AppsDeleted } from '../apps/app.signal';
import { CalendarAddresses } from './calendar-addresses';

const FORGET_ADDRESSES = statement(
  'calendars_forget_addresses',
  'DELETE FROM calendar_addresses WHERE user_id = ANY ($1::bigint[])',
);
const HAS_ADDRESS = statement('calendars_has_address', 'SELECT user_id FROM calendar_addresses WHERE user_id = $1');

/**
 * When an account disconnects an app that could read its secret calendar address, this reaction renews the address, if
 * there is one. The app may have stored the old address (CAL-1, APP-16).
 */
@Injectable()
export class RenewAddressAfterDisconnection implements Reaction<AppDisconnected> {
  constructor(private readonly addresses: CalendarAddresses) {}

  async react(tx: Transaction, { userId, scopes }: AppDisconnected): Promise<void> {
    if (!allows(scopes, 'calendar:read', { reads: true })) return;
    if ((await tx.rows(HAS_ADDRESS, [userId])).length > 0) await this.addresses.renewIn(tx, userId);
  }
}

/**
 * Deletes the secret calendar addresses that a deleted app could read (APP-16). When an account next requests its
 * address, a new address is created.
 */
@Injectable()
export class ForgetAddressesAfterAppDeletion implements Reaction<AppsDeleted> {
  async react(tx: Transaction, { consents }: AppsDeleted): Promise<void> {
    const readers = consents.filter(({ scopes }) => allows(scopes, 'calendar:read', { reads: true }));
    if (readers.length > 0) await tx.rows(FORGET_ADDRESSES, [readers.map(({ userId }) => userId)]);
  }
}
