import { Injectable } from '@nestjs/common';
import { EventsReader } from '#areas/events/events.reader';
import { EventForViewerReader } from '#areas/participation/event-for-viewer.reader';
import { sliceOf } from '#platform/http/page';
import type { Choice } from '../form/plan';
import type { Member } from '../page.decorators';
import { VisibleEvents } from '../public/visible-events';
import { translator } from '../texts';

const MAX_EVENTS = 50;

/** Events that a post of the member can be about: events that the member organizes or attends (POST-4). */
@Injectable()
export class PostEvents {
  constructor(
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
    private readonly visibleEvents: VisibleEvents,
  ) {}

  /** `chosen`: the current event of the post, which is included even if the member no longer attends it. */
  async choicesFor(member: Member, chosen: string | null = null): Promise<readonly Choice[]> {
    const { caller, locale } = member;
    const slice = sliceOf({ per_page: MAX_EVENTS });
    const [own, joined] = await Promise.all([
      this.events.organizedBy(caller.id, undefined, slice),
      this.forViewer.related(caller, 'confirmed', undefined, slice),
    ]);
    const titles = new Map([...own.items, ...joined.items].map(({ id, title }) => [id, title]));
    if (chosen !== null && !titles.has(chosen))
      titles.set(chosen, (await this.visibleEvents.title(chosen, member)) ?? chosen);
    const none = { value: '', name: translator(locale)('post_event_none') };
    return [none, ...[...titles].map(([value, name]) => ({ value, name }))];
  }
}
