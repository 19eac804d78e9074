import { Injectable } from '@nestjs/common';
import type { ReportSubject } from '#contract/vocabulary';
import type { Queryable } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { EventAccessPolicy } from '../../events/event-access.policy';
import { GroupAccessPolicy } from '../../groups/group-access.policy';
import { UsersReader } from '../../identity/users.reader';
import { MessagesReader } from '../../messages/messages.reader';
import { PeopleReader } from '../../people/people.reader';
import { PostAccessPolicy } from '../../posts/post-access.policy';
import { postIdEvenIfRemoved } from '../../posts/post-removal.commands';
import { PulsReader } from '../../puls/puls.reader';
import { SUBJECTS, type SubjectRow } from './subject.query';

/** The id of a reader without an account. No account has this id. */
export const NOBODY = 0;

/** An object that can be reported, identified by its row id. */
export interface ReportedObject {
  readonly type: ReportSubject;
  readonly id: number;
  /** The owner of the object. */
  readonly authorId: number;
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/**
 * Finds reported objects that the reporter sees. The area to which an object belongs decides who sees the object
 * (MOD-31). The calling code refuses reports on the reporter's own objects.
 */
@Injectable()
export class ReportSubjects {
  constructor(
    private readonly events: EventAccessPolicy,
    private readonly groups: GroupAccessPolicy,
    private readonly posts: PostAccessPolicy,
    private readonly puls: PulsReader,
    private readonly messages: MessagesReader,
    private readonly users: UsersReader,
    private readonly people: PeopleReader,
    private readonly ids: PublicIds,
  ) {}

  /** The object with this id or slug; null if the object does not exist or the user does not see it. */
  async seenBy(database: Queryable, type: ReportSubject, sent: string, userId: number): Promise<ReportedObject | null> {
    const subjectId = await this.idOf(database, type, sent);
    const [row] = subjectId === null ? [] : await database.rows<SubjectRow>(SUBJECTS[type], [subjectId]);
    if (!row || !(await this.isSeen(database, type, row, userId))) return null;
    return { type, id: Number(row.id), authorId: Number(row.author_id), snapshot: row.snapshot };
  }

  /**
   * Posts and users are found by slug or id (MOD-101). If `sent` is the slug of one object and the id of another
   * object, the object with the slug is returned.
   */
  private async idOf(database: Queryable, type: ReportSubject, sent: string): Promise<number | null> {
    if (type === 'event') return this.ids.decodeEvent(sent);
    let bySlug: number | null = null;
    if (type === 'post') bySlug = await postIdEvenIfRemoved(database, sent);
    if (type === 'user') bySlug = await this.users.idOf(database, sent);
    return bySlug ?? this.ids.decode(type, sent);
  }

  private async isSeen(
    database: Queryable,
    type: ReportSubject,
    { id, author_id, event_id, post_id, searchable = false, banned = false }: SubjectRow,
    userId: number,
  ): Promise<boolean> {
    switch (type) {
      case 'event':
        return this.events.isSeenBy(database, Number(id), userId);
      case 'series':
        return Number(author_id) === userId || this.events.seesOccurrence(database, Number(id), userId);
      case 'group':
        return this.groups.isSeenBy(database, Number(id), userId);
      case 'post':
        return this.posts.isSeenBy(database, Number(id), userId);
      case 'comment':
      case 'photo':
        return event_id
          ? this.events.isSeenBy(database, Number(event_id), userId)
          : this.posts.isSeenBy(database, Number(post_id), userId);
      case 'puls':
        return userId !== NOBODY && this.puls.isSeenBy(database, Number(id), userId);
      case 'message':
        return this.messages.wasSentTo(database, Number(id), userId);
      case 'user':
        return this.people.isShownTo(database, userId, { id: Number(id), searchable, banned });
    }
  }
}
