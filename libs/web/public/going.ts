import { Injectable } from '@nestjs/common';
import type { PersonResource } from '#areas/identity/person.resource';
import { EventPeopleReader } from '#areas/participation/event-people.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { PeopleReader } from '#areas/people/people.reader';
import { Database } from '#platform/database/database';
import type { Reader } from '../readers';

const MAX_SHOWN = 8;

/** The people who go to an event, as a member sees them (PAGE-102). */
export interface GoingPeople {
  /** `page`: the path of the person's public page; null if the person has no public page. */
  readonly shown: readonly (PersonResource & { readonly page: string | null })[];
  /** Number of people who go to the event (the organizer and confirmed people) and are not shown. */
  readonly more: number;
}

@Injectable()
export class Going {
  constructor(
    private readonly database: Database,
    private readonly eventPeople: EventPeopleReader,
    private readonly people: PeopleReader,
  ) {}

  /** Returns null for visitors without an account. */
  async peopleOf(event: DiscoverEventResource, eventId: number, { user }: Reader): Promise<GoingPeople | null> {
    if (!user) return null;
    const found = await this.eventPeople.going(this.database, eventId, user.id, MAX_SHOWN);
    const shown = await Promise.all(
      found.map(async ({ person, ...account }) => ({
        ...person,
        page: (await this.people.isPublic({ ...account, banned: false })) ? `/people/${person.slug}` : null,
      })),
    );
    return { shown, more: Math.max(0, event.current_participants - shown.length) };
  }
}
