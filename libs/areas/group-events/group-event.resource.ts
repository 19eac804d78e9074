import type { GroupLink } from '#contract/vocabulary';
import { DiscoverEventResource, type ViewerEventRow } from '../participation/event-for-viewer.resource';

/** A row of the statement GROUP_EVENTS. */
export interface GroupEventRow extends ViewerEventRow {
  group_link: GroupLink;
}

/** An event of a group as the caller sees it (GRP-20). */
export class GroupEventResource extends DiscoverEventResource {
  /**
   * `own`: the group's own event; `interest`: an event that is not the group's own, and that the group is interested in
   */
  group_link: GroupLink;
}
