import { Refusal } from '#platform/http/refusal';
import type { WireFormat } from '#platform/http/wire-format';
import { personOf, personResource, type PersonResource } from '../../identity/person.resource';
import type { BookPersonRow } from '../expense.query';

/** One who stands in an event's books, or may. */
interface BookPerson {
  readonly userId: number;
  readonly slug: string;
  readonly iban: string | null;
  readonly isOrganizer: boolean;
  /** The organizer and confirmed participants may pay and share (EXP-4). */
  readonly isEligible: boolean;
  readonly shown: PersonResource;
}

/** Everybody an event's books speak of, by slug. */
export class BookPeople {
  private readonly byId: ReadonlyMap<number, BookPerson>;

  constructor(rows: readonly BookPersonRow[], wire: WireFormat) {
    this.byId = new Map(rows.map((row) => [Number(row.id), bookPerson(row, wire)]));
  }

  /** Slugs compare byte by byte: digits and letters a-z, no language has a say. */
  get inSlugOrder(): number[] {
    return [...this.byId.keys()];
  }

  get participants(): (PersonResource & { is_organizer: boolean })[] {
    return this.eligible.map(({ shown, isOrganizer }) => ({ ...shown, is_organizer: isOrganizer }));
  }

  /** Who pays: 422 `participant_not_eligible` for anybody but the organizer and confirmed participants. */
  payer(slug: string | null | undefined): number {
    return this.admitted(slug ?? this.eligible.find(({ isOrganizer }) => isOrganizer)?.slug).userId;
  }

  /** Who shares, in slug order, everybody once; refuses like `payer`. All who are eligible when nobody is named. */
  sharers(slugs: readonly string[] | null | undefined): number[] {
    if (!slugs) return this.eligible.map(({ userId }) => userId);
    const named = new Set(slugs.map((slug) => this.admitted(slug).userId));
    return this.inSlugOrder.filter((userId) => named.has(userId));
  }

  /** One of the event, or who stands in its book though they left; else 422 `participant_not_eligible` (PAY-4). */
  known(slug: string): number {
    const person = [...this.byId.values()].find((one) => one.slug === slug);
    if (!person) throw new Refusal('participant_not_eligible');
    return person.userId;
  }

  shown(userId: number): PersonResource {
    return this.person(userId).shown;
  }

  ibanOf(userId: number): string | null {
    return this.person(userId).iban;
  }

  isOrganizer(userId: number): boolean {
    return this.byId.get(userId)?.isOrganizer ?? false;
  }

  private get eligible(): BookPerson[] {
    return [...this.byId.values()].filter(({ isEligible }) => isEligible);
  }

  private admitted(slug: string | undefined): BookPerson {
    const person = this.eligible.find((one) => one.slug === slug);
    if (!person) throw new Refusal('participant_not_eligible');
    return person;
  }

  private person(userId: number): BookPerson {
    const person = this.byId.get(userId);
    if (!person) throw new Error(`User ${userId} is missing from the books' people.`);
    return person;
  }
}

function bookPerson(row: BookPersonRow, wire: WireFormat): BookPerson {
  return {
    userId: Number(row.id),
    slug: row.user_slug,
    iban: row.iban,
    isOrganizer: row.is_organizer,
    isEligible: row.is_organizer || row.is_confirmed,
    shown: personResource(personOf(row, 'user'), wire),
  };
}
