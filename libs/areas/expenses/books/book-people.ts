import { Refusal } from '#platform/http/refusal';
import type { WireFormat } from '#platform/http/wire-format';
import { personOf, personResource, type PersonResource } from '../../identity/person.resource';
import type { BookPersonRow } from '../expense.query';

/** A person who is or may be in an event's expense list. */
interface BookPerson {
  readonly userId: number;
  readonly slug: string;
  readonly iban: string | null;
  readonly isOrganizer: boolean;
  /** The organizer and confirmed participants may pay and share (EXP-4). */
  readonly isEligible: boolean;
  readonly shown: PersonResource;
}

/** The people of an event's expense list, by slug. */
export class BookPeople {
  private readonly byId: ReadonlyMap<number, BookPerson>;

  constructor(rows: readonly BookPersonRow[], wire: WireFormat) {
    this.byId = new Map(rows.map((row) => [Number(row.id), bookPerson(row, wire)]));
  }

  /** Slugs are compared byte by byte, independently of the language. */
  get inSlugOrder(): number[] {
    return [...this.byId.keys()];
  }

  get participants(): (PersonResource & { is_organizer: boolean })[] {
    return this.eligible.map(({ shown, isOrganizer }) => ({ ...shown, is_organizer: isOrganizer }));
  }

  /** The payer; 422 `participant_not_eligible` unless this is the organizer or a confirmed participant. */
  payer(slug: string | null | undefined): number {
    return this.admitted(slug ?? this.eligible.find(({ isOrganizer }) => isOrganizer)?.slug).userId;
  }

  /**
   * The people who share, in the order of slugs without duplicates; refuses like `payer`. All eligible people if
   * `slugs` is absent.
   */
  sharers(slugs: readonly string[] | null | undefined): number[] {
    if (!slugs) return this.eligible.map(({ userId }) => userId);
    const named = new Set(slugs.map((slug) => this.admitted(slug).userId));
    return this.inSlugOrder.filter((userId) => named.has(userId));
  }

  /**
   * A person of the event, or a person who has left but has entries in the expense list; otherwise 422
   * `participant_not_eligible` (PAY-4).
   */
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
