import { Injectable } from '@nestjs/common';
import { GroupsReader } from '#areas/groups/groups.reader';
import { LIMITS } from '#contract/limits';
import { sliceOf } from '#platform/http/page';
import type { Choice } from '../form/plan';
import type { Member } from '../page.decorators';

/** The groups for which a member can create events. */
@Injectable()
export class OwnGroups {
  constructor(private readonly groups: GroupsReader) {}

  /** The first choice means "no group". */
  async choices({ caller }: Member): Promise<readonly Choice[]> {
    const slice = sliceOf({ per_page: LIMITS.pagination.per_page.max });
    const { items } = await this.groups.related(caller, 'member', slice);
    return [{ value: '', text: 'event_group_none' }, ...items.map(({ id, name }) => ({ value: id, name }))];
  }
}
