import { Get, Param, Query, UseFilters, UseGuards } from '@nestjs/common';
import { personResource } from '#areas/identity/person.resource';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentReader, FileController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import { attendance, coverOf, drawingAddress, priceOf, whenOf, whereOf } from '../public/event-facts';
import { RelatedContent } from '../public/related-content';
import { PublicPeople } from '../public/public-people';
import { VisibleEvents } from '../public/visible-events';
import { VisibleGroups } from '../groups/visible-groups';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type Content, type View } from '../view';
import { FrameFilter } from './frame.filter';
import { FrameGuard } from './frame.guard';

const THEMES = ['light', 'dark', 'auto'];

/** /embed/…: public events, groups and people in a frame of another site (EMB-1 to EMB-3). */
@UseFilters(FrameFilter)
@FileController()
@UseGuards(FrameGuard)
export class EmbedPages {
  constructor(
    private readonly events: VisibleEvents,
    private readonly groups: VisibleGroups,
    private readonly people: PublicPeople,
    private readonly related: RelatedContent,
    private readonly wire: WireFormat,
  ) {}

  @Get('embed/events/:id')
  @ReadsReplica()
  async event(@CurrentReader() reader: Reader, @Param('id') id: string, @Query('theme') theme?: string): Promise<View> {
    const { event, isOver, isFull } = (await this.events.stateFor(id, reader)).state;
    const say = translator(reader.locale);
    return frame('event', theme, {
      title: event.title,
      event,
      isOver,
      isFull,
      cover: coverOf(event),
      drawing: drawingAddress(event.id, this.wire),
      when: whenOf(event, reader),
      where: whereOf(event),
      price: priceOf(event, reader.locale),
      people: attendance(event, isOver, say),
    });
  }

  @Get('embed/groups/:id')
  @ReadsReplica()
  async group(@CurrentReader() reader: Reader, @Param('id') id: string, @Query('theme') theme?: string): Promise<View> {
    const { groupId, group } = await this.groups.group(id, reader);
    return frame('list', theme, {
      title: group.name,
      url: group.url,
      picture: group.avatar_url,
      caption: translator(reader.locale)('members', { count: group.members_count }),
      tiles: await this.related.comingOf('group', groupId, reader),
    });
  }

  @Get('embed/people/:slug')
  @ReadsReplica()
  async person(
    @CurrentReader() reader: Reader,
    @Param('slug') slug: string,
    @Query('theme') theme?: string,
  ): Promise<View> {
    const user = await this.people.bySlug(slug);
    if (!user) throw new Refusal('not_found');
    const { name, nickname, avatar_url: picture } = personResource(user, this.wire);
    return frame('list', theme, {
      title: name,
      url: this.wire.page(`/people/${user.slug}`),
      picture,
      caption: nickname,
      tiles: await this.related.comingOf('organizer', user.id, reader),
    });
  }

  /** /embed and every other path below it answer 404 with a page that other sites may show in a frame. */
  @Get(['embed', 'embed/*'])
  unknown(): never {
    throw new Refusal('not_found');
  }
}

function frame(kind: 'event' | 'list', theme: string | undefined, content: Content): View {
  const known = THEMES.find((one) => one === theme) ?? 'auto';
  return view(`embed-${kind}`, { ...content, theme: known, hasNoForm: true });
}
