import type { GroupLink } from '#contract/vocabulary';
import { DiscoverEventResource, type ViewerEventRow } from '../participation/event-for-viewer.resource';

/** Columns of GROUP_EVENTS. */
export interface GroupEventRow extends ViewerEventRow {
  group_link: GroupLink;
}

/** An event of a group as the caller sees it (GRP-20). */
export class GroupEventResource extends DiscoverEventResource {
  /** the group's own event, or somebody else's it is going to */
  group_link: GroupLink;
}
