import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { Violations } from '#platform/http/violations';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import { Signals } from '#platform/signals/signals';
import { lasting, type Usage } from '#platform/rate-limit/usage';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import type { CreateGroupDto, UpdateGroupDto } from './group.dto';
import { Group } from './group.entity';
import { GroupDeleted } from './group.signal';
import { founderOf, GroupMember } from './members/group-member.entity';

const COUNT_FOUNDED_GROUPS = statement(
  'groups_founded',
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

/** Of an invite link: 192 bits. */
const INVITE_CODE_BYTES = 24;

/** What may be done to groups, inside a transaction of the one who asks; who may ask is theirs to know. */
@Injectable()
export class GroupsCommands {
  constructor(
    private readonly signals: Signals,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * A new group with its founder as owner and its chat; returns its id. 422 on half a place, 409 `group_limit_reached` for
   * the sixth of one founder, also when several are founded at once.
   */
  async found(tx: Transaction, founderId: number, fields: CreateGroupDto): Promise<number> {
    refuseHalfAPlace(fields);
    await lockAccount(tx, founderId);
    if ((await this.founded(tx, founderId)).used >= LIMITS.groups.founded_per_account)
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
    write(group, fields);
    const { id } = await tx.manager.save(Group, group);
    await tx.manager.insert(GroupMember, founderOf(id, founderId, now));
    await tx.rows(OPEN_CHAT, [id, group.name, now]);
    return id;
  }

  /** How many groups of the founder there are. */
  async founded(on: Queryable, founderId: number): Promise<Usage> {
    const [row] = await on.rows<{ founded: number }>(COUNT_FOUNDED_GROUPS, [founderId]);
    return lasting(row?.founded ?? 0);
  }

  /** Changes what is said; the chat is renamed with the group. `group` is locked by the caller. 422 on half a place. Where nothing is another than before, nothing is written. */
  async change(tx: Transaction, group: Group, fields: UpdateGroupDto): Promise<void> {
    refuseHalfAPlace(fields);
    const before = { ...group };
    write(group, fields);
    if (isDeepStrictEqual({ ...group }, before)) return;
    group.updatedAt = this.clock.now();
    await tx.manager.save(Group, group);
    await tx.rows(RENAME_CHAT, [group.id, group.name]);
  }

  /**
   * Deletes a group with its memberships and we're-going links. Its events and its chat stay and belong to none; its files go
   * once this is committed. Nothing is locked by the caller: events come before groups in the order of locks. `judge` is asked as
   * soon as the group is locked.
   */
  async remove(tx: Transaction, groupId: number, judge: (group: Group) => Promise<void>): Promise<void> {
    await this.signals.raise(tx, new GroupDeleted(groupId));
    const group = await tx.manager.findOne(Group, { where: { id: groupId }, lock: { mode: 'pessimistic_write' } });
    if (!group) throw new Refusal('not_found');
    await judge(group);
    await tx.manager.delete(Group, { id: groupId });
    await this.media.markForDeletion(
      tx,
      [group.avatarKey, group.coverKey].filter((key) => key !== null),
    );
  }
}

/** 422 unless both coordinates are said, both as null, or neither (GRP-6). */
function refuseHalfAPlace(fields: UpdateGroupDto): void {
  new Violations().bothOrNone(fields, 'latitude', 'longitude').throwIfAny();
}

/** Where each field goes. */
const PROPERTY_OF = {
  name: 'name',
  description: 'description',
  is_public: 'isPublic',
  location_name: 'locationName',
  latitude: 'latitude',
  longitude: 'longitude',
} as const satisfies Record<keyof UpdateGroupDto, keyof Group>;

function write(group: Group, fields: UpdateGroupDto): void {
  for (const [field, property] of Object.entries(PROPERTY_OF)) {
    const value = fields[field as keyof UpdateGroupDto];
    if (value !== undefined) Object.assign(group, { [property]: value });
  }
}
