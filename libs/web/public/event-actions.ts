import { Injectable } from '@nestjs/common';
import type { EventRelation } from '#areas/events/event-access.policy';
import { GalleryService, type GalleryMeta } from '#areas/gallery/gallery.service';
import { InterestService } from '#areas/group-events/interest.service';
import { GroupsReader } from '#areas/groups/groups.reader';
import type { EventState } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { Input } from '#platform/http/input';
import { PageQueryDto } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import type { FormRefusal } from '../form/form-refusal';
import { newKey } from '../form/form-keys';
import type { Reader } from '../readers';
import { failedFormOf, commentFormsOf, PHOTOS_FORM, type FailedForm, type CommentForms } from '../talk/talk';

/** The page of an event offers at most this number of the reader's groups, because each group has its own form. */
const MAX_GROUPS = 20;

/** The refusals of the forms on the page of an event. */
export interface RefusedForms {
  /** The refusal of the form to join, to leave, or to join the waitlist. */
  readonly join?: FormRefusal;
  readonly comment?: FormRefusal;
  readonly photos?: FormRefusal;
}

/** The actions that the page of an event offers to the reader, except joining. */
export interface EventActions {
  readonly talk: CommentForms;
  /**
   * The form for new photos: the number of the reader's photos, the limit for each person, and a new idempotency key;
   * null for readers who may not add photos.
   */
  readonly gallery: { readonly mine: number; readonly max: number; readonly key: string } | null;
  readonly photosFailed: FailedForm | null;
  /**
   * Groups for which the reader can add an interest in the event; at most `MAX_GROUPS`. Empty for a visitor, and for an
   * event that is over, cancelled or private.
   */
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly takesPart: boolean;
}

@Injectable()
export class EventActionsReader {
  constructor(
    private readonly gallery: GalleryService,
    private readonly groups: GroupsReader,
    private readonly interests: InterestService,
    private readonly wire: WireFormat,
  ) {}

  async actionsOf(
    { event, isOver }: EventState,
    relation: EventRelation,
    reader: Reader,
    { comment, photos }: RefusedForms = {},
  ): Promise<EventActions> {
    const takesPart = reader.user !== null && relation.takesPart;
    const [meta, groups] = await Promise.all([
      takesPart ? this.galleryMeta(relation.eventId, reader) : null,
      isOver ? [] : this.groupsFor(event, relation, reader),
    ]);
    return {
      talk: commentFormsOf(`/events/${event.id}`, takesPart, reader, comment),
      gallery: meta?.can_upload ? { mine: meta.my_photos, max: meta.max_per_user, key: newKey()[1] } : null,
      photosFailed: failedFormOf(PHOTOS_FORM, photos ?? null, reader),
      groups,
      takesPart,
    };
  }

  private async galleryMeta(eventId: number, { caller }: Reader): Promise<GalleryMeta | null> {
    const query = await Input.of(PageQueryDto, { per_page: '1' }, 'text');
    return (await this.gallery.list(caller, eventId, query)).meta ?? null;
  }

  /**
   * As in the API, a group can be interested only in a public active event that does not belong to the group (GRP-21).
   * Groups that are interested already are not offered.
   */
  private async groupsFor(
    event: DiscoverEventResource,
    { eventId, isPublic }: EventRelation,
    { user, caller }: Reader,
  ): Promise<EventActions['groups']> {
    if (!user || !isPublic || event.status !== 'active') return [];
    const groups = await this.groups.joined(caller);
    if (groups.length === 0) return [];
    const interested = await this.interests.interestedGroupIds(eventId);
    const unavailable = new Set([event.group, ...interested.map((id) => this.wire.id('group', id))]);
    return groups
      .filter(({ id }) => !unavailable.has(id))
      .slice(0, MAX_GROUPS)
      .map(({ id, name }) => ({ id, name }));
  }
}
