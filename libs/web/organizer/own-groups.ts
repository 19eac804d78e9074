import { Injectable } from '@nestjs/common';
import { GroupsReader } from '#areas/groups/groups.reader';
import type { Choice } from '../form/plan';
import type { Member } from '../page.decorators';

/** The groups for which a member can create events. */
@Injectable()
export class OwnGroups {
  constructor(private readonly groups: GroupsReader) {}

  /** A choice for "no group", and then the groups to which the member belongs. */
  async choices({ caller }: Member): Promise<readonly Choice[]> {
    const groups = await this.groups.joined(caller);
    return [{ value: '', text: 'event_group_none' }, ...groups.map(({ id, name }) => ({ value: id, name }))];
  }
}
