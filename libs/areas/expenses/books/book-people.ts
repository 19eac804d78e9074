import { Refusal } from '#platform/http/refusal';
import type { WireFormat } from '#platform/http/wire-format';
import { personOf, personResource, type PersonResource } from '../../identity/person.resource';
import type { BookPersonRow } from '../expense.query';

/** A person who is named in an expense or payment of an event, or who may be named in a new expense or payment. */
interface BookPerson {
  readonly userId: number;
  readonly slug: string;
  readonly iban: string | null;
  readonly isOrganizer: boolean;
  /** Whether the person may pay and share: the organizer and confirmed participants may (EXP-4). */
  readonly isEligible: boolean;
  readonly resource: PersonResource;
}

/** The people of an event's expense list, in the order of their slugs. */
export class BookPeople {
  private readonly byId: ReadonlyMap<number, BookPerson>;

  constructor(rows: readonly BookPersonRow[], wire: WireFormat) {
    this.byId = new Map(rows.map((row) => [Number(row.id), bookPerson(row, wire)]));
  }

  /**
   * The ids of the people in the order of slugs. The query compares slugs byte by byte, so the order does not depend on
   * the collation of the database.
   */
  get idsInSlugOrder(): number[] {
    return [...this.byId.keys()];
  }

  get participants(): (PersonResource & { is_organizer: boolean })[] {
    return this.eligible.map(({ resource, isOrganizer }) => ({ ...resource, is_organizer: isOrganizer }));
  }

  /**
   * Returns the id of the payer with this slug, or of the organizer if `slug` is absent or null. Throws 422
   * `participant_not_eligible` unless the payer is the organizer or a confirmed participant.
   */
  payer(slug: string | null | undefined): number {
    return this.eligiblePerson(slug ?? this.eligible.find(({ isOrganizer }) => isOrganizer)?.slug).userId;
  }

  /**
   * Returns the ids of the people who share an expense, in the order of slugs and without duplicates. If `slugs` is
   * absent or null, all eligible people share. Throws the same 422 as `payer` for a person who is not eligible.
   */
  sharers(slugs: readonly string[] | null | undefined): number[] {
    if (!slugs) return this.eligible.map(({ userId }) => userId);
    const named = new Set(slugs.map((slug) => this.eligiblePerson(slug).userId));
    return this.idsInSlugOrder.filter((userId) => named.has(userId));
  }

  /**
   * Returns the id of the person with this slug. The person must be the organizer, a confirmed participant, or a person
   * who has left but has entries in the expense list. Otherwise throws 422 `participant_not_eligible` (PAY-4).
   */
  idBySlug(slug: string): number {
    const person = [...this.byId.values()].find((one) => one.slug === slug);
    if (!person) throw new Refusal('participant_not_eligible');
    return person.userId;
  }

  includes(userId: number): boolean {
    return this.byId.has(userId);
  }

  resourceOf(userId: number): PersonResource {
    return this.person(userId).resource;
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

  private eligiblePerson(slug: string | undefined): BookPerson {
    const person = this.eligible.find((one) => one.slug === slug);
    if (!person) throw new Refusal('participant_not_eligible');
    return person;
  }

  private person(userId: number): BookPerson {
    const person = this.byId.get(userId);
    if (!person) throw new Error(`User ${userId} is not among the people of the expense list.`);
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
    resource: personResource(personOf(row, 'user'), wire),
  };
}
