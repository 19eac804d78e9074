import { Injectable } from '@nestjs/common';
import type { GroupRelation, GroupRole } from '#contract/vocabulary';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { withVersion } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import {
  GROUP_BY_INVITE_CODE,
  GROUP_FOR_VIEWER,
  GROUPS_FOR_VIEWER,
  GROUP_MEMBER,
  GROUP_MEMBERS,
  GROUP_MEMBERS_AMONG,
  GROUP_MEMBERS_NAMED,
  GROUP_MEMBERS_TOTAL,
  HAS_PUBLIC_GROUP,
  LOCK_GROUPS,
  LOCK_MEMBERSHIP,
  INVITE_CODE,
  LOCK_BY_INVITE_CODE,
  MEMBER_IDS,
  OWN_GROUPS,
  OWN_GROUPS_TOTAL,
  SHARED_GROUP,
} from './group.query';
import type { ExploreGroupsQueryDto } from './group.dto';
import { groupResource, type GroupResource, type GroupRow } from './group.resource';
import { DiscoverGroups } from './nearby/discover-groups';
import { LISTED_GROUP_IDS } from './nearby/discover-groups.query';
import { memberResource, type MemberResource, type MemberRow } from './members/member.resource';

/** Reads groups for this area, for other areas and for the web pages. */
@Injectable()
export class GroupsReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
    private readonly discover: DiscoverGroups,
  ) {}

  /** Row ids of public groups, the newest first. */
  async listedIds(limit: number): Promise<number[]> {
    return (await this.database.rows<{ id: string }>(LISTED_GROUP_IDS, [limit])).map(({ id }) => Number(id));
  }

  /**
   * Searches public groups by words and place. The results include public groups to which the caller belongs. Throws
   * 422 if only one coordinate is given.
   */
  explore(caller: Caller, query: ExploreGroupsQueryDto): Promise<Page<GroupResource>> {
    return this.discover.explore(caller, query);
  }

  /** One group, with `viewer` for this caller. Throws 404 if the caller does not see the group. */
  async show(database: Queryable, caller: Caller, groupId: number): Promise<GroupResource> {
    const [row] = await database.rows<GroupRow>(GROUP_FOR_VIEWER, [caller.id, groupId]);
    if (!row || !isSeen(row)) throw new Refusal('not_found');
    const resource = groupResource(row, this.wire);
    return row.role === 'owner' ? withVersion(resource, row.version) : resource;
  }

  /**
   * Like `show`, for several groups, but without versions. Omits groups that the caller does not see. The keys of the
   * map are the ids.
   */
  async showByIds(
    database: Queryable,
    caller: Caller,
    groupIds: readonly number[],
  ): Promise<Map<number, GroupResource>> {
    const rows = await database.rows<GroupRow>(GROUPS_FOR_VIEWER, [caller.id, groupIds]);
    return new Map(rows.filter(isSeen).map((row) => [Number(row.id), groupResource(row, this.wire)]));
  }

  /** Groups with this relation to the caller, the latest relation first (GRP-8). */
  async related(caller: Caller, relation: GroupRelation, slice: Slice): Promise<Page<GroupResource>> {
    const listing = { list: OWN_GROUPS[relation], total: OWN_GROUPS_TOTAL[relation] };
    const groups = await readPage<GroupRow>(this.database, listing, [caller.id], slice);
    return groups.map((row) => groupResource(row, this.wire));
  }

  /** All groups to which the caller belongs, the latest membership first. */
  async joined(caller: Caller): Promise<readonly GroupResource[]> {
    // A limit of null is no limit.
    const rows = await this.database.rows<GroupRow>(OWN_GROUPS.member, [caller.id, null, 0]);
    return rows.map((row) => groupResource(row, this.wire));
  }

  /**
   * Depending on `status`: the members of the group, the people invited to it, or the people who asked to join. The
   * earliest membership, invitation or request comes first. The calling code has checked the rights.
   */
  async members(groupId: number, status: GroupRelation, slice: Slice): Promise<Page<MemberResource>> {
    const listing = { list: GROUP_MEMBERS[status], total: GROUP_MEMBERS_TOTAL[status] };
    const members = await readPage<MemberRow>(this.database, listing, [groupId], slice);
    return members.map((row) => memberResource(row, this.wire));
  }

  /**
   * The roles of the people with these slugs, including `invited` and `requested`. The keys of the map are the slugs;
   * people without a role are omitted. The calling code has checked the rights.
   */
  async rolesAmong(groupId: number, slugs: readonly string[]): Promise<Map<string, GroupRole>> {
    const rows = await this.database.rows<MemberRow>(GROUP_MEMBERS_AMONG, [groupId, slugs]);
    return new Map(rows.map(({ user_slug, role }) => [user_slug, role]));
  }

  /** The membership, invitation or request of one person. Throws 404 if there is none. */
  async member(database: Queryable, groupId: number, userId: number): Promise<MemberResource> {
    const [row] = await database.rows<MemberRow>(GROUP_MEMBER, [groupId, userId]);
    if (!row) throw new Refusal('not_found');
    return memberResource(row, this.wire);
  }

  /**
   * The memberships, invitations and requests for these pairs of a group and a user. Pairs without any of these are
   * omitted. The calling code has checked the rights.
   */
  async membersByIds(
    database: Queryable,
    pairs: readonly (readonly [groupId: number, userId: number])[],
  ): Promise<{ groupId: number; userId: number; member: MemberResource }[]> {
    const rows = await database.rows<MemberRow & { group_id: string; user_id: string }>(GROUP_MEMBERS_NAMED, [
      pairs.map(([groupId]) => groupId),
      pairs.map(([, userId]) => userId),
    ]);
    return rows.map((row) => ({
      groupId: Number(row.group_id),
      userId: Number(row.user_id),
      member: memberResource(row, this.wire),
    }));
  }

  /** The ids of all members of the group, including the owner, in ascending order. */
  async memberIds(database: Queryable, groupId: number): Promise<number[]> {
    const rows = await database.rows<{ user_id: string }>(MEMBER_IDS, [groupId]);
    return rows.map((row) => Number(row.user_id));
  }

  /**
   * Whether the user is the owner or a member. If true, the group and the membership cannot be deleted until the
   * transaction ends.
   */
  async lockMembership(tx: Transaction, groupId: number, userId: number): Promise<boolean> {
    return (await tx.rows(LOCK_MEMBERSHIP, [groupId, userId])).length > 0;
  }

  /** Prevents the deletion of the groups until the transaction ends. Skips ids without a group. */
  async lock(tx: Transaction, groupIds: readonly number[]): Promise<void> {
    await tx.rows(LOCK_GROUPS, [groupIds]);
  }

  /** Whether there is a group to which both users belong. */
  async haveGroupInCommon(database: Queryable, oneId: number, otherId: number): Promise<boolean> {
    return (await database.rows(SHARED_GROUP, [oneId, otherId])).length > 0;
  }

  /** Whether the user owns a public group. */
  async hasPublicGroup(database: Queryable, ownerId: number): Promise<boolean> {
    return (await database.rows(HAS_PUBLIC_GROUP, [ownerId])).length > 0;
  }

  /**
   * The secret part of the group's invite link. Throws 404 if there is no such group. The calling code has checked the
   * rights.
   */
  async inviteCode(groupId: number): Promise<string> {
    const [row] = await this.database.rows<{ invite_code: string }>(INVITE_CODE, [groupId]);
    if (!row) throw new Refusal('not_found');
    return row.invite_code;
  }

  /**
   * The group of an invite link, as the viewer sees it; null if the code is unknown, the group was deleted, or a
   * moderator has removed the group. The group may be private. `viewerId` is null for a visitor who is not signed in.
   */
  async byInviteCode(code: string, viewerId: number | null): Promise<{ groupId: number; group: GroupResource } | null> {
    const [row] = await this.database.rows<GroupRow>(GROUP_BY_INVITE_CODE, [viewerId, code]);
    return row ? { groupId: Number(row.id), group: groupResource(row, this.wire) } : null;
  }

  /**
   * Locks the group of an invite link until the transaction ends, and returns the id of the group. Returns null in the
   * same cases as `byInviteCode`.
   */
  async lockByInviteCode(tx: Transaction, code: string): Promise<number | null> {
    const [row] = await tx.rows<{ id: string }>(LOCK_BY_INVITE_CODE, [code]);
    return row ? Number(row.id) : null;
  }
}

/**
 * Whether the caller sees the group, by the same rule as `GroupAccessPolicy`. The check is repeated on the row that is
 * shown, because the group may have changed since the first check.
 */
function isSeen({ is_public, role }: GroupRow): boolean {
  return is_public || role !== null;
}
