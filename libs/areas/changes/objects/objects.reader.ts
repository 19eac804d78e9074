import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { CommentsReader } from '../../comments/comments.reader';
import { EventsReader } from '../../events/events.reader';
import { BookReader } from '../../expenses/book.reader';
import { GalleryReader } from '../../gallery/gallery.reader';
import { GroupEventsReader } from '../../group-events/group-events.reader';
import { GroupsReader } from '../../groups/groups.reader';
import type { Caller } from '../../identity/caller.reader';
import { ItineraryReader } from '../../itinerary/itinerary.reader';
import type { NoticeRecipient } from '../../notifications/notice.resource';
import { NoticesReader } from '../../notifications/notices.reader';
import { EventForViewerReader } from '../../participation/event-for-viewer.reader';
import { EventPeopleReader } from '../../participation/event-people.reader';
import { PostsReader } from '../../posts/posts.reader';
import { SeriesReader } from '../../series/series.reader';
import { keyOf, type ObjectKind, type ObjectName } from './object-name';

/** The person who reads the objects, and the language and time zone of the texts of notices. */
export interface ObjectsViewer {
  readonly caller: Caller;
  readonly recipient: NoticeRecipient;
}

type ReadKind = (
  viewer: ObjectsViewer,
  names: readonly ObjectName[],
) => Promise<Iterable<readonly [ObjectName, object]>>;
type ById = ReadonlyMap<number, object>;

/**
 * Reads objects in the form in which the API's responses show them: the functions that create those responses are
 * called once for each kind of object (CHG-17). The calling code has checked the rights: only entries that the viewer
 * may see (`visibleChange` in visibility/visible-change.ts) have objects.
 */
@Injectable()
export class ObjectsReader {
  constructor(
    private readonly database: Database,
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
    private readonly people: EventPeopleReader,
    private readonly books: BookReader,
    private readonly gallery: GalleryReader,
    private readonly itineraries: ItineraryReader,
    private readonly comments: CommentsReader,
    private readonly groups: GroupsReader,
    private readonly groupEvents: GroupEventsReader,
    private readonly series: SeriesReader,
    private readonly posts: PostsReader,
    private readonly notices: NoticesReader,
  ) {}

  /**
   * Returns the objects; the key of an object is `keyOf` of its name. Objects that no longer exist, or that the viewer
   * does not see, are missing.
   */
  async readByKey(viewer: ObjectsViewer, names: readonly ObjectName[]): Promise<ReadonlyMap<string, object>> {
    const kinds = new Map<ObjectKind, Map<string, ObjectName>>();
    for (const name of names) {
      const ofKind = kinds.get(name.kind) ?? new Map<string, ObjectName>();
      kinds.set(name.kind, ofKind.set(keyOf(name), name));
    }
    const read = await Promise.all(
      [...kinds].map(([kind, ofKind]) => this.readers[kind](viewer, [...ofKind.values()])),
    );
    return new Map(read.flatMap((found) => [...found].map(([name, object]) => [keyOf(name), object])));
  }

  private readonly readers: Record<ObjectKind, ReadKind> = {
    own_event: byIds((_, ids) => this.events.ownByIds(this.database, ids)),
    event: byIds(({ caller }, ids) => this.forViewer.showByIds(this.database, caller, ids)),
    participant: async ({ caller }, names) => {
      const found = await this.people.participantsByIds(
        this.database,
        caller,
        names.map(({ id, within }) => [within, id]),
      );
      return found.map(({ eventId, userId, participant }) => [
        { kind: 'participant', id: userId, within: eventId },
        participant,
      ]);
    },
    ticket: byIds((_, ids) => this.people.ticketsByIds(this.database, ids)),
    expense: byIds((_, ids) => this.books.expensesByIds(this.database, ids)),
    payment: byIds((_, ids) => this.books.paymentsByIds(this.database, ids)),
    photo: byIds(({ caller }, ids) => this.gallery.photosByIds(this.database, caller, ids)),
    itinerary: byIds((_, ids) => this.itineraries.plansByEvents(ids)),
    comment: byIds(({ caller }, ids) => this.comments.byIds(this.database, caller, ids)),
    group: byIds(({ caller }, ids) => this.groups.showByIds(this.database, caller, ids)),
    member: async (_, names) => {
      const found = await this.groups.membersByIds(
        this.database,
        names.map(({ id, within }) => [within, id]),
      );
      return found.map(({ groupId, userId, member }) => [{ kind: 'member', id: userId, within: groupId }, member]);
    },
    group_event: async ({ caller }, names) => {
      const found = await this.groupEvents.byIds(
        this.database,
        caller,
        names.map(({ id, within }) => [within, id]),
      );
      return found.map(({ groupId, eventId, event }) => [{ kind: 'group_event', id: eventId, within: groupId }, event]);
    },
    series: byIds((_, ids) => this.series.showByIds(this.database, ids)),
    post: byIds(({ caller }, ids) => this.posts.showByIds(this.database, caller, ids)),
    notice: byIds(({ caller, recipient }, ids) => this.notices.byIds(this.database, caller, ids, recipient)),
  };
}

function byIds(read: (viewer: ObjectsViewer, ids: readonly number[]) => Promise<ById>): ReadKind {
  return async (viewer, names) => {
    const found = await read(
      viewer,
      names.map(({ id }) => id),
    );
    return names.flatMap((name) => {
      const object = found.get(name.id);
      return object ? [[name, object] as const] : [];
    });
  };
}
