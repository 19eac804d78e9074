import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Sealer } from '#platform/config/sealer';
import { Database } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { CalendarAddressResource, calendarAddressResource } from './calendar-address.resource';
import { ADD_ADDRESS, ADDRESS_OF, OWNER_OF_ADDRESS, RENEW_ADDRESS } from './calendar-addresses.query';

const BYTES = LIMITS.calendars.secret_bits / 8;

/** The secret address under which programs fetch an account's calendar (CAL-1): whoever has it reads the calendar, nothing else. */
@Injectable()
export class CalendarAddresses {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** Always the same one; made when it is first asked for. */
  async addressOf(userId: number): Promise<CalendarAddressResource> {
    const kept = await this.kept(userId);
    if (kept !== null) return kept;
    await this.database.transaction((tx) => tx.rows(ADD_ADDRESS, this.rowOf(userId, newSecret())));
    // Of two who asked first at once, one has made it. What another APP_SECRET sealed opens nothing any more, so there is a new one.
    return (await this.kept(userId)) ?? this.renew(userId);
  }

  /** Another one; the one before is no address any more once this is committed. */
  async renew(userId: number): Promise<CalendarAddressResource> {
    const secret = newSecret();
    await this.database.transaction((tx) => tx.rows(RENEW_ADDRESS, this.rowOf(userId, secret)));
    return calendarAddressResource(secret, this.wire);
  }

  /** Whose it is; null for nobody's. */
  async ownerOf(secret: string): Promise<number | null> {
    const [row] = await this.database.rows<{ user_id: string }>(OWNER_OF_ADDRESS, [hashOf(secret)]);
    return row ? Number(row.user_id) : null;
  }

  private async kept(userId: number): Promise<CalendarAddressResource | null> {
    const [row] = await this.database.rows<{ secret_sealed: string }>(ADDRESS_OF, [userId]);
    const secret = row ? await this.sealer.open(row.secret_sealed) : null;
    return secret === null ? null : calendarAddressResource(secret, this.wire);
  }

  private rowOf(userId: number, secret: string): readonly unknown[] {
    return [userId, this.sealer.seal(secret), hashOf(secret), this.clock.now()];
  }
}

function newSecret(): string {
  return randomBytes(BYTES).toString('base64url');
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
