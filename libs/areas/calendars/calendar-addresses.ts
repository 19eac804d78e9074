import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Sealer } from '#platform/config/sealer';
import { Database, type Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import { CalendarAddressResource, calendarAddressResource } from './calendar-address.resource';
import { ADD_ADDRESS, ADDRESS_OF, OWNER_OF_ADDRESS, RENEW_ADDRESS } from './calendar-addresses.query';

const SECRET_BYTES = LIMITS.calendars.secret_bits / 8;

/**
 * Creates, renews and finds the secret addresses at which calendar programs read the calendars of accounts (CAL-1). An
 * address gives access to the calendar and nothing else.
 */
@Injectable()
export class CalendarAddresses {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The secret address of the account's calendar. If the account has no address, creates one. */
  async addressOf(userId: number): Promise<CalendarAddressResource> {
    const existing = await this.storedAddress(userId);
    if (existing !== null) return existing;
    await this.database.transaction((tx) => tx.rows(ADD_ADDRESS, this.rowOf(userId, newSecret())));
    // ADD_ADDRESS stores nothing if an address exists, for example from a concurrent request. If the stored secret was
    // encrypted with another APP_SECRET, the secret cannot be decrypted, so the address is replaced.
    return (await this.storedAddress(userId)) ?? this.renew(userId);
  }

  /** Replaces the address; the former address is invalid after the commit. */
  async renew(userId: number): Promise<CalendarAddressResource> {
    const secret = await this.database.transaction((tx) => this.renewIn(tx, userId));
    return calendarAddressResource(secret, this.wire);
  }

  /** Like `renew`, in the transaction of the calling code; returns the new secret. */
  async renewIn(tx: Transaction, userId: number): Promise<string> {
    const secret = newSecret();
    await tx.rows(RENEW_ADDRESS, this.rowOf(userId, secret));
    return secret;
  }

  /** Returns the id of the account whose address contains this secret; null for an unknown secret. */
  async ownerOf(secret: string): Promise<number | null> {
    const [row] = await this.database.rows<{ user_id: string }>(OWNER_OF_ADDRESS, [hashSecret(secret)]);
    return row ? Number(row.user_id) : null;
  }

  private async storedAddress(userId: number): Promise<CalendarAddressResource | null> {
    const [row] = await this.database.rows<{ secret_sealed: string }>(ADDRESS_OF, [userId]);
    const secret = row ? await this.sealer.open(row.secret_sealed) : null;
    return secret === null ? null : calendarAddressResource(secret, this.wire);
  }

  private rowOf(userId: number, secret: string): readonly unknown[] {
    return [userId, this.sealer.seal(secret), hashSecret(secret), this.clock.now()];
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
