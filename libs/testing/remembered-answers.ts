import type { ParticipationState } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import { injectedGet, type GetResult } from './injected-get';
import type { Person } from './people';
import type { TestServer } from './test-server';
import type { Columns, TouchedRow } from './touched-rows';

/** Columns of an event or a group that do not affect its visibility or other resources. */
const COUNTS_AND_VERSIONS: ReadonlySet<string> = new Set([
  'confirmed_count',
  'members_count',
  'updated_at',
  'version',
  'revision',
]);

/**
 * Tables with rows whose names or texts appear in the texts of notices. If such a row changes or is removed, the texts
 * of notices may change.
 */
const QUOTED_IN_NOTICES: ReadonlySet<string> = new Set([
  'all_comments',
  'all_events',
  'all_gallery_photos',
  'all_groups',
  'all_posts',
  'all_series',
  'content_removals',
  'users',
]);

/** The `relation` of GET /events that lists events with this participation status. */
const LIST_OF: Readonly<Record<ParticipationState, string | null>> = {
  confirmed: 'joined',
  pending: 'invited',
  waitlisted: 'waitlisted',
  requested: 'requested',
  declined: null,
  banned: null,
};

/**
 * Stored responses to the GETs of some people. A response is requested again only after a write of a row on which the
 * response may depend. More dependencies are assumed than exist. For example, a change of an event's row affects all
 * responses below the event's address and all lists that contain the event. If only COUNTS_AND_VERSIONS change, the row
 * of an event affects only the responses with the event itself, and the row of a group only the responses at and below
 * the group's address. A change in a table that this file does not name affects every response. The feed of changes is
 * not used here, because the tests check this feed. Tests also repeat requests to check that no stored response is
 * outdated.
 */
export class RememberedAnswers {
  private readonly responses: ReadonlyMap<Person, Map<string, Promise<GetResult>>>;
  private readonly byUserId: ReadonlyMap<number, Person>;
  private readonly hashids = new Map<string, string>();
  /**
   * For each event and each user, the values of `relation` with which GET /events lists or has listed the event. The
   * keys are database ids.
   */
  private readonly listsOf = new Map<number, Map<number, Set<string>>>();
  private readonly eventOfComment = new Map<number, number>();
  /** Group → its current and former members. */
  private readonly membersOf = new Map<number, Set<number>>();
  /** `user 1`, `group 2` or `series 3` → its current and former events. */
  private readonly eventsOf = new Map<string, Set<number>>();
  private readonly affectedPeople = new Set<Person>();

  constructor(
    private readonly server: TestServer,
    people: readonly Person[],
  ) {
    this.responses = new Map(people.map((person) => [person, new Map<string, Promise<GetResult>>()]));
    this.byUserId = new Map(people.map((person) => [person.userId, person]));
  }

  get(person: Person, path: string): Promise<GetResult> {
    const responses = this.responses.get(person)!;
    const response = responses.get(path) ?? injectedGet(this.server, person, path);
    responses.set(path, response);
    return response;
  }

  /** Deletes the stored responses that these rows may have changed. Returns the people whose responses were deleted. */
  forget(rows: readonly TouchedRow[]): ReadonlySet<Person> {
    this.affectedPeople.clear();
    for (const row of rows) this.storeRelations(row);
    for (const row of rows) for (const state of [row.was, row.is]) if (state) this.forgetRow(row, state);
    return new Set(this.affectedPeople);
  }

  private storeRelations({ table, was, is }: TouchedRow): void {
    for (const row of [was, is]) {
      if (!row) continue;
      const event = Number(table === 'all_events' ? row['id'] : row['event_id']);
      if (table === 'all_events') {
        this.addRelation(event, row['organizer_id'], 'organizing');
        setOf(this.eventsOf, `user ${Number(row['organizer_id'])}`).add(event);
        if (row['group_id'] !== null) setOf(this.eventsOf, `group ${Number(row['group_id'])}`).add(event);
        if (row['series_id'] !== null) setOf(this.eventsOf, `series ${Number(row['series_id'])}`).add(event);
      }
      if (table === 'all_comments' && row['event_id'] !== null) this.eventOfComment.set(Number(row['id']), event);
      if (table === 'participations')
        this.addRelation(event, row['user_id'], LIST_OF[row['status'] as ParticipationState]);
      if (table === 'group_interests') setOf(this.eventsOf, `group ${Number(row['group_id'])}`).add(event);
      if (table === 'group_members') setOf(this.membersOf, Number(row['group_id'])).add(Number(row['user_id']));
    }
  }

  private addRelation(event: number, person: unknown, list: string | null): void {
    const people = this.listsOf.get(event) ?? new Map<number, Set<string>>();
    this.listsOf.set(event, people);
    if (list !== null) setOf(people, Number(person)).add(list);
  }

  private forgetRow(touched: TouchedRow, row: Columns): void {
    const { table } = touched;
    const changesOnlyCounts = changedColumns(touched).every((column) => COUNTS_AND_VERSIONS.has(column));
    if (!changesOnlyCounts && QUOTED_IN_NOTICES.has(table)) this.drop(/^\/notices/);
    const [id, event, group, person] = [
      Number(row['id']),
      Number(row['event_id']),
      Number(row['group_id']),
      Number(row['user_id']),
    ];
    switch (table) {
      case 'all_events': {
        if (changesOnlyCounts) return this.dropEventParts(id, ['']);
        // This event may be the first occurrence of a series. The other occurrences refer to the first occurrence.
        for (const occurrence of this.eventsOf.get(`series ${Number(row['series_id'])}`) ?? [])
          this.dropEventParts(occurrence, ['']);
        return this.dropEventAndLists(id);
      }
      case 'participations':
        return this.dropParticipation(event, person, LIST_OF[row['status'] as ParticipationState]);
      case 'all_comments': {
        const commentedEvent = this.eventOfComment.get(Number(row['root_id'] ?? id));
        return commentedEvent === undefined
          ? this.drop(/^\/posts\//)
          : this.dropEventParts(commentedEvent, ['', 'comments']);
      }
      case 'all_gallery_photos':
        return this.dropEventParts(event, ['', 'photos']);
      case 'itineraries':
        return this.dropEventParts(event, ['', 'itinerary']);
      case 'tickets':
        return this.dropEventParts(event, ['', 'tickets']);
      case 'event_images':
        return this.dropEventParts(event, ['']);
      case 'expenses':
      case 'expense_payments':
        return this.dropEventParts(event, ['expenses']);
      case 'expense_shares':
        return this.drop(/^\/events\/\w+\/expenses/);
      case 'group_chats':
        return this.dropGroup(group);
      case 'group_members':
        return this.dropMembership(group, person);
      case 'group_interests': {
        this.dropGroup(group);
        return this.dropEvent(event, this.membersOf.get(group));
      }
      case 'all_groups':
        return changesOnlyCounts ? this.dropGroup(id) : this.dropGroupAndEvents(id);
      case 'all_posts':
        return this.drop(/^\/posts[/?]/, [Number(row['author_id'])]);
      case 'all_series': {
        this.drop(/^\/series[/?]/, [Number(row['organizer_id'])]);
        for (const occurrence of this.eventsOf.get(`series ${id}`) ?? []) this.dropEventAndLists(occurrence);
        return;
      }
      case 'notifications':
        return this.drop(/^\/notices/, [person]);
      case 'users':
        return this.dropUser(id);
      // These rows have no entry in the feed (CHG-1). A block between people affects only the `can_join` of the blocked
      // person, which the test does not compare (follower-simulation.ts). A row of `content_removals` or
      // `moderation_decisions` is written together with rows of other tables, and the responses are deleted because of
      // those rows.
      case 'user_blocks':
      case 'content_removals':
      case 'moderation_decisions':
        return;
      default:
        return this.drop(/^/);
    }
  }

  private dropParticipation(event: number, person: number, list: string | null): void {
    this.dropEventParts(event, ['', 'participants', 'expenses', 'tickets']);
    this.dropEvent(event, [person]);
    // The participation affects which events the person sees in these lists.
    this.drop(/^\/groups\/\w+\/events/, [person]);
    if (list !== null) this.dropList(list, person);
  }

  private dropMembership(group: number, person: number): void {
    this.dropGroup(group);
    this.drop(/^\/groups\?/, [person]);
    for (const event of this.eventsOf.get(`group ${group}`) ?? []) this.dropEvent(event, [person]);
  }

  private dropGroupAndEvents(group: number): void {
    this.dropGroup(group);
    this.drop(/^\/groups\?/, this.membersOf.get(group));
    for (const event of this.eventsOf.get(`group ${group}`) ?? []) this.dropEvent(event);
  }

  /**
   * Deletes all stored responses to this person, and everybody's stored responses that contain an event that this
   * person organizes or has organized. Called after each change of a row in `users`, for example a ban, a new name or
   * an erasure.
   */
  private dropUser(id: number): void {
    this.drop(/^/, [id]);
    for (const event of this.eventsOf.get(`user ${id}`) ?? []) this.dropEventAndLists(event);
  }

  private dropEventAndLists(event: number): void {
    this.dropEvent(event);
    for (const [person, lists] of this.listsOf.get(event) ?? []) for (const list of lists) this.dropList(list, person);
    // A post shows its event, a series shows the number of its upcoming events, and a group shows the events in which
    // it is interested.
    this.drop(/^\/(?:posts\/|series\/|groups\/\w+\/events)/);
  }

  private dropList(relation: string, person: number): void {
    this.drop(new RegExp(`^/events\\?relation=${relation}&`), [person]);
  }

  /** Deletes all stored responses at and below the address of an event. */
  private dropEvent(id: number, people?: Iterable<number>): void {
    this.drop(new RegExp(`^(?:/discover)?/events/${this.hashid('event', id)}(?:/|$)`), people);
  }

  /** Deletes the stored responses for the given parts of an event. `''`: the event itself. */
  private dropEventParts(id: number, parts: readonly string[]): void {
    const hashid = this.hashid('event', id);
    this.drop(
      new RegExp(
        `^(?:/discover)?/events/${hashid}(?:${parts.map((part) => (part === '' ? '' : `/${part}`)).join('|')})$`,
      ),
    );
  }

  private dropGroup(id: number): void {
    this.drop(new RegExp(`^/groups/${this.hashid('group', id)}(?:[/?]|$)`));
  }

  private drop(paths: RegExp, people: Iterable<number> = this.byUserId.keys()): void {
    for (const id of people) {
      const person = this.byUserId.get(id);
      const responses = person && this.responses.get(person);
      if (!responses) continue;
      for (const path of responses.keys())
        if (paths.test(path) && responses.delete(path)) this.affectedPeople.add(person);
    }
  }

  private hashid(kind: 'event' | 'group', id: number): string {
    const encodedId = this.hashids.get(`${kind} ${id}`) ?? this.server.app.get(PublicIds).encode(kind, id);
    this.hashids.set(`${kind} ${id}`, encodedId);
    return encodedId;
  }
}

function changedColumns({ was, is }: TouchedRow): string[] {
  const [before, after] = [was ?? {}, is ?? {}];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]),
  );
}

function setOf<Key, One>(sets: Map<Key, Set<One>>, key: Key): Set<One> {
  const set = sets.get(key) ?? new Set<One>();
  sets.set(key, set);
  return set;
}
