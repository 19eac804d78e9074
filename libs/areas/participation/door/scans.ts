import type { Transaction } from '#platform/database/database';
import { normalCode, storedCode } from '../record/codes';
import { UsersReader } from '../../identity/users.reader';
import type { ScanDto } from './door.dto';
import { NAMED_GUESTS, TICKETS_AMONG, type GuestRow } from './door.query';

/** Whom a scan means. `known`: the code is a ticket of the event, or somebody has the slug. */
export interface Meant {
  readonly guest: GuestRow | null;
  readonly known: boolean;
}

/** Whom the scans of one request mean, found together. */
export class MeantPeople {
  private constructor(
    private readonly byCode: ReadonlyMap<string, GuestRow>,
    private readonly bySlug: ReadonlyMap<string, GuestRow>,
    private readonly tickets: ReadonlySet<string>,
    private readonly slugs: ReadonlySet<string>,
  ) {}

  /** Three statements, however many scans there are. */
  static async of(
    tx: Transaction,
    users: UsersReader,
    eventId: number,
    scans: readonly ScanDto[],
  ): Promise<MeantPeople> {
    const codes = [...new Set(scans.flatMap(({ code }) => (code == null ? [] : [storedOf(code)])))];
    const slugs = [...new Set(scans.flatMap(({ user }) => user ?? []))];
    const guests = await tx.rows<GuestRow>(NAMED_GUESTS, [eventId, codes, slugs]);
    const tickets = codes.length === 0 ? [] : await tx.rows<{ code: string }>(TICKETS_AMONG, [eventId, codes]);
    const known = slugs.length === 0 ? [] : await users.slugsAmong(tx, slugs);
    const byCode = new Map(guests.flatMap((guest) => codesOf(guest).map((code) => [code, guest] as const)));
    return new MeantPeople(
      byCode,
      new Map(guests.map((guest) => [guest.user_slug, guest])),
      new Set(tickets.map(({ code }) => code)),
      new Set(known),
    );
  }

  find({ code, user }: ScanDto): Meant {
    if (code == null) return { guest: this.bySlug.get(user ?? '') ?? null, known: this.slugs.has(user ?? '') };
    const stored = storedOf(code);
    return { guest: this.byCode.get(stored) ?? null, known: this.tickets.has(stored) };
  }

  /** Everybody who was meant and is confirmed. */
  get confirmed(): readonly GuestRow[] {
    return [...new Set([...this.byCode.values(), ...this.bySlug.values()])].filter(
      ({ status }) => status === 'confirmed',
    );
  }
}

function storedOf(code: string): string {
  return storedCode(normalCode(code));
}

/** A ticket first: should one be like somebody's own code, the own code is meant, as at POST check-in. */
function codesOf({ ticket_code, check_in_code }: GuestRow): string[] {
  return [ticket_code, check_in_code].filter((code) => code !== null);
}
