import type { CreateGroupDto } from '#areas/groups/group.dto';
import { GroupsCommands } from '#areas/groups/groups.commands';
import { MembershipsCommands } from '#areas/groups/memberships.commands';
import type { GroupRole } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import type { Host } from './host';
import type { Person } from './people';

export interface BuiltGroup {
  /** The public id, as in the URLs of the API. */
  readonly id: string;
  readonly groupId: number;
  readonly founder: Person;
}

export interface GroupOptions extends Partial<CreateGroupDto> {
  /** People who get a role in the group. Each person gets the role by the transitions that the API allows. */
  readonly with?: readonly (readonly [Person, Exclude<GroupRole, 'owner'>])[];
}

/** Creates a group without the API. The group is public by default. */
export async function buildGroup(
  server: Host,
  founder: Person,
  { with: people = [], ...fields }: GroupOptions = {},
): Promise<BuiltGroup> {
  const groupId = await server.database.transaction((tx) =>
    server.app.get(GroupsCommands).create(tx, founder.userId, { name: 'Turisti z Brna', is_public: true, ...fields }),
  );
  const group = { groupId, id: server.app.get(PublicIds).encode('group', groupId), founder };
  for (const [person, role] of people) await addMember(server, group, person, role);
  return group;
}

/** Gives a role to a person who has no relation to the group yet. */
export async function addMember(
  server: Host,
  group: BuiltGroup,
  person: Person,
  role: Exclude<GroupRole, 'owner'>,
): Promise<void> {
  const triggers = { requested: ['join'], invited: ['invite'], member: ['invite', 'join'] } as const;
  await server.database.transaction(async (tx) => {
    for (const trigger of triggers[role])
      await server.app.get(MembershipsCommands).move(tx, group.groupId, person.userId, trigger);
  });
}
