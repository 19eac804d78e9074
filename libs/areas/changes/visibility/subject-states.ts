import type { ChangeSubject } from '#contract/changes';
import type { Scope } from '#contract/scopes';
import type { GroupRole, ParticipationState } from '#contract/vocabulary';
import { Database } from '#platform/database/database';
import { Injectable } from '@nestjs/common';
import { isOrganizer, takesPart, VIEWER_STATES, visibilityOf } from '../../events/event-relation';
import type { Person } from '../../identity/person.resource';
import { EVENT_RELATIONS, GROUP_ROLES, PEOPLE_OF_CHANGES, EXISTING_OBJECTS, type ChangeRow } from './change-rows.query';

/** The account that reads the feed, and its scopes. */
export interface Viewer {
  readonly id: number;
  readonly scopes: readonly Scope[];
}

/**
 * The viewer's relation to a visible event. The viewer organizes the event, has a participation state of VIEWER_STATES,
 * or belongs to a group. In the last case, the event is the group's own, or the group is interested in it.
 */
export interface FollowedEvent {
  readonly isOrganizer: boolean;
  readonly takesPart: boolean;
  /** The viewer's number in the order of the event's waitlist; null if the viewer is not on the waitlist. */
  readonly waitlistNumber: number | null;
}

/** The current state of all objects that the changes are about, for one viewer. */
export interface SubjectStates {
  readonly viewerId: number;
  /** The scopes of the token that reads the feed. */
  readonly scopes: readonly Scope[];
  readonly events: ReadonlyMap<number, FollowedEvent>;
  /** The viewer's role in each group. */
  readonly groups: ReadonlyMap<number, GroupRole>;
  /** Slugs of the viewer's own posts. */
  readonly posts: ReadonlyMap<number, string>;
  readonly people: ReadonlyMap<number, Person>;
  /** Whether the subject of the row still exists. A series, post or notice must also belong to the viewer. */
  exists(row: ChangeRow): boolean;
}

interface EventRelationRow {
  readonly id: string;
  readonly organizer_id: string;
  readonly is_public: boolean;
  readonly participation: ParticipationState | null;
  readonly by_group: boolean;
  readonly waitlist_number: number | null;
}

/** Loads the objects to which rows of the feed of changes refer, in at most four statements for any number of rows. */
@Injectable()
export class SubjectStatesLoader {
  constructor(private readonly database: Database) {}

  async of({ id: viewerId, scopes }: Viewer, rows: readonly ChangeRow[]): Promise<SubjectStates> {
    const [events, groups, existing, people] = await Promise.all([
      this.events(viewerId, rows),
      this.groups(viewerId, rows),
      this.existingObjects(viewerId, rows),
      this.people(rows),
    ]);
    return { viewerId, scopes, events, groups, people, ...existing };
  }

  private async events(viewerId: number, rows: readonly ChangeRow[]): Promise<Map<number, FollowedEvent>> {
    const ids = distinct(
      rows.flatMap((row) =>
        [row.topic_kind === 'event' ? row.topic_id : [], row.type.startsWith('event.') ? row.subject_id : []].flat(),
      ),
    );
    if (ids.length === 0) return new Map();
    const found = await this.database.rows<EventRelationRow>(EVENT_RELATIONS, [viewerId, ids]);
    return new Map(
      found.flatMap((event) => {
        const person = { userId: viewerId, participation: event.participation };
        const organizes = isOrganizer(event, person);
        const isFollowed =
          visibilityOf(event, person) === 'seen' &&
          (organizes || VIEWER_STATES.has(event.participation) || event.by_group);
        if (!isFollowed) return [];
        const waitlistNumber = event.participation === 'waitlisted' ? event.waitlist_number : null;
        return [[Number(event.id), { isOrganizer: organizes, takesPart: takesPart(event, person), waitlistNumber }]];
      }),
    );
  }

  private async groups(viewerId: number, rows: readonly ChangeRow[]): Promise<Map<number, GroupRole>> {
    const ids = distinct(rows.flatMap((row) => (row.topic_kind === 'group' ? [row.topic_id] : [])));
    if (ids.length === 0) return new Map();
    const found = await this.database.rows<{ id: string; role: GroupRole }>(GROUP_ROLES, [viewerId, ids]);
    return new Map(found.map(({ id, role }) => [Number(id), role]));
  }

  private async existingObjects(
    viewerId: number,
    rows: readonly ChangeRow[],
  ): Promise<Pick<SubjectStates, 'posts' | 'exists'>> {
    const idsOf = (kind: ChangeSubject): string[] =>
      distinct(rows.flatMap((row) => (kindOf(row) === kind ? [row.subject_id] : [])));
    const pairsOf = (kind: ChangeSubject): [string[], string[]] => {
      const rowsOfKind = rows.filter((row) => kindOf(row) === kind);
      return [rowsOfKind.map((row) => row.topic_id), rowsOfKind.map((row) => row.subject_id)];
    };
    const posts = distinct([
      ...idsOf('post'),
      ...rows.flatMap((row) => (kindOf(row) === 'comment' && row.parent_id !== null ? [row.parent_id] : [])),
    ]);
    const idLists = [
      idsOf('series'),
      posts,
      idsOf('comment'),
      idsOf('expense'),
      idsOf('photo'),
      idsOf('itinerary'),
      idsOf('ticket'),
      ...pairsOf('participant'),
      ...pairsOf('member'),
      idsOf('notice'),
    ];
    const found = idLists.every((ids) => ids.length === 0)
      ? []
      : await this.database.rows<{ kind: string; id: string; slug: string | null; person_id: string | null }>(
          EXISTING_OBJECTS,
          [viewerId, ...idLists],
        );
    const existing = new Set(found.map(({ kind, id, person_id }) => `${kind} ${id} ${person_id ?? ''}`));
    return {
      posts: new Map(
        found.flatMap(({ kind, id, slug }) => (kind === 'post' && slug !== null ? [[Number(id), slug]] : [])),
      ),
      exists: (row) => {
        const kind = kindOf(row);
        return existing.has(
          kind === 'participant' || kind === 'member'
            ? `${kind} ${row.topic_id} ${row.subject_id}`
            : `${kind} ${row.subject_id} `,
        );
      },
    };
  }

  private async people(rows: readonly ChangeRow[]): Promise<Map<number, Person>> {
    const ids = distinct(
      rows.flatMap((row) => [row.by_id ?? [], /^(participant|member)\./.test(row.type) ? row.subject_id : []].flat()),
    );
    if (ids.length === 0) return new Map();
    const found = await this.database.rows<{
      id: string;
      name: string;
      nickname: string | null;
      slug: string;
      avatar_key: string | null;
    }>(PEOPLE_OF_CHANGES, [ids]);
    return new Map(found.map(({ id, avatar_key, ...names }) => [Number(id), { ...names, avatarKey: avatar_key }]));
  }
}

/** The kind of the row's subject: `comment` for `comment.created`. */
export function kindOf({ type }: ChangeRow): ChangeSubject {
  return type.slice(0, type.indexOf('.')) as ChangeSubject;
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
