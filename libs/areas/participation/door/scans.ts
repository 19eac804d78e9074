import type { Transaction } from '#platform/database/database';
import { normalCode, storedCode } from '../codes';
import { UsersReader } from '../../identity/users.reader';
import type { ScanDto } from '../door.dto';
import { NAMED_GUESTS, TICKETS_AMONG, type GuestRow } from './door.query';

/** The person whom a scan identifies. */
export interface ScannedPerson {
  /** Null if nobody with a participation in the event has this code or slug. */
  readonly guest: GuestRow | null;
  /**
   * Whether the code is a ticket code of the event (used or unused), or the slug belongs to a user. False for a
   * check-in code.
   */
  readonly isKnownTicketOrSlug: boolean;
}

/** The people whom the scans of one request identify, loaded together. */
export class ScannedPeople {
  private constructor(
    private readonly byCode: ReadonlyMap<string, GuestRow>,
    private readonly bySlug: ReadonlyMap<string, GuestRow>,
    private readonly tickets: ReadonlySet<string>,
    private readonly slugs: ReadonlySet<string>,
  ) {}

  /** Executes at most three statements, regardless of the number of scans. */
  static async of(
    tx: Transaction,
    users: UsersReader,
    eventId: number,
    scans: readonly ScanDto[],
  ): Promise<ScannedPeople> {
    const codes = [...new Set(scans.flatMap(({ code }) => (code == null ? [] : [storedFormOf(code)])))];
    const slugs = [...new Set(scans.flatMap(({ user }) => user ?? []))];
    const guests = await tx.rows<GuestRow>(NAMED_GUESTS, [eventId, codes, slugs]);
    const tickets = codes.length === 0 ? [] : await tx.rows<{ code: string }>(TICKETS_AMONG, [eventId, codes]);
    const knownSlugs = slugs.length === 0 ? [] : await users.slugsAmong(tx, slugs);
    const byCode = new Map(guests.flatMap((guest) => codesOf(guest).map((code) => [code, guest] as const)));
    return new ScannedPeople(
      byCode,
      new Map(guests.map((guest) => [guest.user_slug, guest])),
      new Set(tickets.map(({ code }) => code)),
      new Set(knownSlugs),
    );
  }

  find({ code, user }: ScanDto): ScannedPerson {
    if (code == null)
      return { guest: this.bySlug.get(user ?? '') ?? null, isKnownTicketOrSlug: this.slugs.has(user ?? '') };
    const stored = storedFormOf(code);
    return { guest: this.byCode.get(stored) ?? null, isKnownTicketOrSlug: this.tickets.has(stored) };
  }

  /** The confirmed participants among these people. */
  get confirmed(): readonly GuestRow[] {
    return [...new Set([...this.byCode.values(), ...this.bySlug.values()])].filter(
      ({ status }) => status === 'confirmed',
    );
  }
}

function storedFormOf(code: string): string {
  return storedCode(normalCode(code));
}

function codesOf({ check_in_code, ticket_code }: GuestRow): string[] {
  return [check_in_code, ticket_code].filter((code) => code !== null);
}
