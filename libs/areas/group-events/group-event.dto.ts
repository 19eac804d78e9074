import { EVENT_SCOPES, type EventScope } from '#contract/vocabulary';
import { EnumField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

/** Query of GET /groups/{id}/events. */
export class GroupEventsQueryDto extends PageQueryDto {
  @EnumField(EVENT_SCOPES, {
    description:
      '`upcoming`: active events that are not over, soonest first; `past`: all other events, newest first; when absent, all events, newest first',
  })
  scope?: EventScope;
}
