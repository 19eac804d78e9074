import { Injectable } from '@nestjs/common';
import type { GroupRole } from '#contract/vocabulary';
import { Database, type Queryable } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import type { Caller } from '../identity/caller.reader';
import { UsersReader } from '../identity/users.reader';
import { GroupAccessPolicy } from './group-access.policy';
import type { GroupResource } from './group.resource';
import { GroupsReader } from './groups.reader';
import type { InviteMemberDto, MembersQueryDto } from './member.dto';
import type { MemberResource } from './members/member.resource';
import { MembershipsCommands } from './memberships.commands';

/** Memberships of groups (GRP-10). */
@Injectable()
export class MembershipService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly memberships: MembershipsCommands,
    private readonly users: UsersReader,
    private readonly reader: GroupsReader,
  ) {}

  /** Accepts an invitation, or requests to join a public group. */
  async join(caller: Caller, groupId: number): Promise<GroupResource> {
    return this.database.transaction(async (tx) => {
      await this.access.lockVisible(tx, groupId, caller.id);
      await this.memberships.move(tx, groupId, caller.id, 'join');
      return this.reader.show(tx, caller, groupId);
    });
  }

  /** Leaves the group, declines the invitation or cancels the request. Returns the former role. */
  async leave(caller: Caller, groupId: number): Promise<GroupRole | null> {
    return this.database.transaction(async (tx) => {
      const { role } = await this.access.lockVisible(tx, groupId, caller.id);
      await this.memberships.move(tx, groupId, caller.id, 'leave');
      return role;
    });
  }

  /**
   * The owner and every member may list the members; only the owner may list invited people and people who asked to
   * join. The caller's membership is checked before the query is validated.
   */
  async list(caller: Caller, groupId: number, input: Input<MembersQueryDto>): Promise<Page<MemberResource>> {
    const { role } = await this.access.belonging(this.database, groupId, caller.id);
    const query = input.read();
    const { status = 'member' } = query;
    if (status !== 'member' && role !== 'owner') throw new Refusal('forbidden');
    return this.reader.members(groupId, status, sliceOf(query));
  }

  /**
   * Invites a person. For the owner only. Throws 422 `invalid_invitee` if the person does not exist, is not searchable,
   * is banned, is the caller, or blocks the caller.
   */
  async invite(caller: Caller, groupId: number, input: Input<InviteMemberDto>): Promise<MemberResource> {
    return this.database.transaction(async (tx) => {
      await this.access.lockOwned(tx, groupId, caller.id);
      const { user: slug } = input.read();
      const inviteeId = await this.users.idOfInvitable(tx, slug, caller.id);
      if (inviteeId === null) throw new Refusal('invalid_invitee');
      await this.memberships.move(tx, groupId, inviteeId, 'invite');
      return this.reader.member(tx, groupId, inviteeId);
    });
  }

  async approve(caller: Caller, groupId: number, slug: string): Promise<MemberResource> {
    return this.database.transaction(async (tx) => {
      await this.access.lockOwned(tx, groupId, caller.id);
      const userId = await this.userId(tx, slug);
      await this.memberships.move(tx, groupId, userId, 'approve');
      return this.reader.member(tx, groupId, userId);
    });
  }

  /**
   * Removes a member, cancels an invitation or declines a request. For the owner only. Throws 409 `conflict` if
   * `expectedRole` is given and is not the person's role.
   */
  async remove(caller: Caller, groupId: number, slug: string, expectedRole?: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.lockOwned(tx, groupId, caller.id);
      await this.memberships.move(tx, groupId, await this.userId(tx, slug), 'remove', expectedRole);
    });
  }

  private async userId(database: Queryable, slug: string): Promise<number> {
    const id = await this.users.idOf(database, slug);
    if (id === null) throw new Refusal('not_found');
    return id;
  }
}
