import { oembedLink } from '../embed/frames';
import { Injectable } from '@nestjs/common';
import { GroupEventsQueryDto } from '#areas/group-events/group-event.dto';
import type { GroupEventResource } from '#areas/group-events/group-event.resource';
import { GroupEventsService } from '#areas/group-events/group-events.service';
import type { GroupResource } from '#areas/groups/group.resource';
import { GroupsReader } from '#areas/groups/groups.reader';
import { belongsToGroup } from '#contract/vocabulary';
import { Input } from '#platform/http/input';
import { sliceOf } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import { keyFieldIn, newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { EventTiles } from '../public/event-tiles';
import type { Tile } from '../public/tile';
import { excerptOf } from '../public/excerpt';
import { neighboursOf } from '../listing';
import { RelatedContent } from '../public/related-content';
import type { Reader } from '../readers';
import { ATOM_TYPE, CALENDAR_TYPE, imageOf, view, type Social, type View } from '../view';
import { VisibleGroups } from './visible-groups';

/** Maximum number of events on one page of the list of events in which the group is interested. */
const INTERESTS_PER_PAGE = 12;
/** Maximum number of events that one call of `events.list` returns. */
const EVENTS_PER_CALL = 100;

interface Extras {
  /** The code of the invite link that led to the page. Search engines must not list a page with this code. */
  readonly invite?: string;
  readonly refusal?: FormRefusal;
  /** The typed event of the refused form that adds an interest. */
  readonly typedEvent?: string | undefined;
  /** The page number in the list of events in which the group is interested. */
  readonly interestsPage?: number;
}

/**
 * An event in which the group is interested, and which does not belong to the group. `id` is for the form that ends the
 * group's interest in the event.
 */
interface Interest {
  readonly id: string;
  readonly tile: Tile;
}

/** The page of a group. */
@Injectable()
export class GroupView {
  constructor(
    private readonly visibleGroups: VisibleGroups,
    private readonly groups: GroupsReader,
    private readonly events: GroupEventsService,
    private readonly related: RelatedContent,
    private readonly tiles: EventTiles,
    private readonly wire: WireFormat,
  ) {}

  /** Shows the group with this id. Throws 404 if the group does not exist or is hidden from the reader. */
  async show(hashid: string, reader: Reader, extras: Extras = {}): Promise<View> {
    const { groupId, group } = await this.visibleGroups.group(hashid, reader);
    return this.viewOf(groupId, group, reader, extras);
  }

  async viewOf(groupId: number, group: GroupResource, reader: Reader, extras: Extras = {}): Promise<View> {
    const { invite, refusal, typedEvent } = extras;
    const social: Social = {
      title: group.name,
      type: 'website',
      url: group.url,
      description: excerptOf(group.description ?? group.name),
      image: imageOf(group.cover_url ?? group.avatar_url),
    };
    const alternates = [
      { type: CALENDAR_TYPE, href: `${group.url}/calendar.ics`, title: group.name },
      { type: ATOM_TYPE, href: `${group.url}/posts.atom`, title: group.name },
      oembedLink(group.url, group.name, this.wire),
    ] as const;
    return view(
      'group',
      {
        title: group.name,
        section: 'groups',
        wide: true,
        group,
        invite,
        refused: refusal?.text,
        typedEvent,
        key: keyFieldIn(refusal?.raw ?? {})?.[1] ?? newKey()[1],
        about: { type: 'group', id: groupId },
        ...(await this.relatedContent(groupId, group, reader, extras)),
        ...(group.is_public && invite === undefined && { social, alternates }),
      },
      refusal?.status ?? 200,
    );
  }

  /** The page of a private group's invite link shows neither the group's events nor its posts. */
  private async relatedContent(
    id: number,
    group: GroupResource,
    reader: Reader,
    { invite, interestsPage = 1 }: Extras,
  ): Promise<object> {
    if (invite !== undefined && !group.is_public) return {};
    const { role } = group.viewer;
    const isMember = belongsToGroup(role);
    const slice = sliceOf({ page: interestsPage, per_page: INTERESTS_PER_PAGE });
    const [events, posts, interests, requests] = await Promise.all([
      this.related.comingOf('group', id, reader),
      this.related.postsAboutGroup(id, reader),
      isMember ? this.interests(id, reader, slice.offset + slice.limit) : [],
      role === 'owner' ? this.groups.members(id, 'requested', sliceOf({ per_page: 1 })) : null,
    ]);
    return {
      events,
      posts,
      interests: this.interestTiles(interests.slice(slice.offset, slice.offset + slice.limit), reader),
      interestPages: neighboursOf(`/groups/${group.id}`, { total: interests.length, slice }, 'interests').map(
        ({ rel, href }) => ({ rel, href: `${href}#interests` }),
      ),
      isMember,
      requests: requests?.total ?? 0,
    };
  }

  /**
   * Returns upcoming events in which the group is interested, and which do not belong to the group. If there are more
   * than `count` such events, returns at least `count` + 1 of them; otherwise returns all of them. Only members see
   * this list.
   */
  private async interests(id: number, reader: Reader, count: number): Promise<GroupEventResource[]> {
    const others: GroupEventResource[] = [];
    // `events.list` also returns the group's own events, which can fill whole pages.
    for (let page = 1, isLast = false; !isLast && others.length <= count; page++) {
      const sent = { scope: 'upcoming', per_page: String(EVENTS_PER_CALL), page: String(page) };
      const query = await Input.of(GroupEventsQueryDto, sent, 'text');
      const { items, total } = await this.events.list(reader.caller, id, query);
      others.push(...items.filter(({ group_link }) => group_link === 'interest'));
      isLast = page * EVENTS_PER_CALL >= total;
    }
    return others;
  }

  private interestTiles(events: readonly GroupEventResource[], reader: Reader): Interest[] {
    const tiles = this.tiles.tilesOf(events, reader);
    return events.flatMap((event, i) => (tiles[i] ? [{ id: event.id, tile: tiles[i] }] : []));
  }
}
