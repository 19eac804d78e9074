import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { Violations } from '#platform/http/violations';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import { Signals } from '#platform/signals/signals';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import type { CreateGroupDto, UpdateGroupDto } from './group.dto';
import { Group } from './group.entity';
import { GroupDeleted } from './group.signal';
import { founderMembership, GroupMember } from './members/group-member.entity';

const COUNT_FOUNDED_GROUPS = statement(
  'groups_count_founded',
  'SELECT count(*)::int AS founded FROM groups WHERE owner_id = $1',
);

const OPEN_CHAT = statement(
  'groups_open_chat',
  'INSERT INTO group_chats (group_id, name, created_at) VALUES ($1, $2, $3)',
);
const RENAME_CHAT = statement(
  'groups_rename_chat',
  'UPDATE group_chats SET name = $2 WHERE group_id = $1 AND name <> $2',
);

/** Number of random bytes in an invite link (24 bytes are 192 bits). */
const INVITE_CODE_BYTES = 24;

/** Writes groups in the transaction of the calling code. The calling code must check the rights. */
@Injectable()
export class GroupsCommands {
  constructor(
    private readonly signals: Signals,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a group and its chat, makes the founder the owner, and returns the id of the group. Throws 422 if only one
   * coordinate is given, and 409 `group_limit_reached` if the founder already owns five groups. The limit also applies
   * to concurrent requests.
   */
  async create(tx: Transaction, founderId: number, fields: CreateGroupDto): Promise<number> {
    refuseIncompleteLocation(fields);
    await lockAccount(tx, founderId);
    if ((await this.foundedUsage(tx, founderId)).used >= LIMITS.groups.founded_per_account)
      throw new Refusal('group_limit_reached');

    const now = this.clock.now();
    const group = Object.assign(new Group(), {
      ownerId: founderId,
      name: fields.name,
      description: null,
      isPublic: false,
      locationName: null,
      latitude: null,
      longitude: null,
      membersCount: 1,
      avatarKey: null,
      coverKey: null,
      inviteCode: randomBytes(INVITE_CODE_BYTES).toString('base64url'),
      createdAt: now,
      updatedAt: now,
    } satisfies Partial<Group>);
    assignFields(group, fields);
    const { id } = await tx.manager.save(Group, group);
    await tx.manager.insert(GroupMember, founderMembership(id, founderId, now));
    await tx.rows(OPEN_CHAT, [id, group.name, now]);
    return id;
  }

  /** The number of groups that the account owns (GRP-4). Groups that moderation has removed do not count. */
  async foundedUsage(database: Queryable, founderId: number): Promise<Usage> {
    const [row] = await database.rows<{ founded: number }>(COUNT_FOUNDED_GROUPS, [founderId]);
    return usageWithoutExpiry(row?.founded ?? 0);
  }

  /**
   * Writes the given fields, and gives the group's chat the name of the group. If the fields already have the given
   * values, nothing is written. The calling code has locked `group`. Throws 422 if only one coordinate is given.
   */
  async change(tx: Transaction, group: Group, fields: UpdateGroupDto): Promise<void> {
    refuseIncompleteLocation(fields);
    const before = { ...group };
    assignFields(group, fields);
    if (isDeepStrictEqual({ ...group }, before)) return;
    group.updatedAt = this.clock.now();
    await tx.manager.save(Group, group);
    await tx.rows(RENAME_CHAT, [group.id, group.name]);
  }

  /**
   * Deletes a group with its memberships and interests. The group's events and its chat remain, without a group. The
   * pictures of the group are deleted after the commit. The calling code must not have locked the group, because events
   * must be locked before groups. `check` is called after the group was locked, and may throw a refusal. Throws 404 if
   * the group does not exist.
   */
  async remove(tx: Transaction, groupId: number, check: (group: Group) => Promise<void>): Promise<void> {
    await this.signals.raise(tx, new GroupDeleted(groupId));
    const group = await tx.manager.findOne(Group, { where: { id: groupId }, lock: { mode: 'pessimistic_write' } });
    if (!group) throw new Refusal('not_found');
    await check(group);
    await tx.manager.delete(Group, { id: groupId });
    await this.media.markForDeletion(
      tx,
      [group.avatarKey, group.coverKey].filter((key) => key !== null),
    );
  }
}

/** Throws 422 if only one coordinate is given. Both may be null or absent (GRP-6). */
function refuseIncompleteLocation(fields: UpdateGroupDto): void {
  new Violations().bothOrNone(fields, 'latitude', 'longitude').throwIfAny();
}

/** The property of `Group` for each field of the input. */
const PROPERTY_OF = {
  name: 'name',
  description: 'description',
  is_public: 'isPublic',
  location_name: 'locationName',
  latitude: 'latitude',
  longitude: 'longitude',
} as const satisfies Record<keyof UpdateGroupDto, keyof Group>;

function assignFields(group: Group, fields: UpdateGroupDto): void {
  for (const [field, property] of Object.entries(PROPERTY_OF)) {
    const value = fields[field as keyof UpdateGroupDto];
    if (value !== undefined) Object.assign(group, { [property]: value });
  }
}
