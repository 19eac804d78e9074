import { Injectable } from '@nestjs/common';
import { EventsReader } from '#areas/events/events.reader';
import { EventForViewerReader } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { EVENT_SCOPES } from '#contract/vocabulary';
import { sliceOf } from '#platform/http/page';
import type { Choice } from '../form/plan';
import { localDay } from '../local-time';
import type { Member } from '../page.decorators';
import { VisibleEvents } from '../public/visible-events';
import { translator } from '../texts';

/** Maximum length of each of the four lists that are read: organized or attended events, upcoming or past. */
const MAX_EVENTS = 50;

type ShownEvent = Pick<DiscoverEventResource, 'id' | 'title' | 'starts_at'>;

/** Events that a post of the member can be about: events that the member organizes or attends (POST-4). */
@Injectable()
export class PostEvents {
  constructor(
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
    private readonly visibleEvents: VisibleEvents,
  ) {}

  /**
   * The choices of a post's event field: first "no event", and then the member's events. Past and upcoming events are
   * read separately, so that the many dates of a daily series do not displace past events. `chosen`: the current event
   * of the post, which is included even if none of the lists contains it.
   */
  async choicesFor(member: Member, chosen: string | null = null): Promise<readonly Choice[]> {
    const { caller, locale } = member;
    const slice = sliceOf({ per_page: MAX_EVENTS });
    const pages = await Promise.all(
      EVENT_SCOPES.flatMap((scope) => [
        this.events.organizedBy(caller.id, scope, slice),
        this.forViewer.related(caller, 'confirmed', scope, slice),
      ]),
    );
    const events = pages.flatMap(({ items }): readonly ShownEvent[] => items);
    const names = new Map(
      events.map(({ id, title, starts_at }) => [id, `${title} · ${localDay(member, new Date(starts_at))}`]),
    );
    if (chosen !== null && !names.has(chosen))
      names.set(chosen, (await this.visibleEvents.title(chosen, member)) ?? chosen);
    const none = { value: '', name: translator(locale)('post_event_none') };
    return [none, ...[...names].map(([value, name]) => ({ value, name }))];
  }
}
