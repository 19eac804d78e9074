import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { Page, sliceOf, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { lockAccount } from '../identity/users.reader';
import type { ReadNoticesDto } from './notice.dto';
import {
  IS_NOTICE_OF,
  NOTICE_SUBJECTS,
  NOTICES_OF,
  NOTICES_TOTAL,
  READ_NOTICES,
  READ_NOTICES_ABOUT,
  type NoticeRow,
  type NoticeSubject,
} from './notice.query';
import { noticeResource, type NoticeResource, type UnreadNoticesResource } from './notice.resource';
import { pagePathOf } from './notice-places';
import { readableSubjects } from './notice-scopes.policy';
import type { NoticeRecipient } from './notice-words';
import { NoticesReader, type NoticeAbout } from './notices.reader';

/** A user's notices and their read state (NOTE-1 to NOTE-4). */
@Injectable()
export class NoticesService {
  constructor(
    private readonly database: Database,
    private readonly reader: NoticesReader,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** Lists the caller's notices, the newest first. Notices about objects that the token may not read are omitted. */
  async list(
    caller: Caller,
    query: PageQueryDto,
    recipient: NoticeRecipient,
  ): Promise<Page<NoticeResource, UnreadNoticesResource>> {
    const notices = await this.page(caller, query);
    return notices.map((row) => noticeResource(row, recipient, caller.token.scopes, this.wire));
  }

  /**
   * Like `list`, with two more fields for each item. `page` is the path of the web page that shows the subject of the
   * notice. `showsMessage` is true if the notice contains an organizer's message, which the recipient may report.
   */
  async listWithPages(
    caller: Caller,
    query: PageQueryDto,
    recipient: NoticeRecipient,
  ): Promise<Page<NoticeResource & { readonly page: string; readonly showsMessage: boolean }, UnreadNoticesResource>> {
    const notices = await this.page(caller, query);
    return notices.map((row) => ({
      ...noticeResource(row, recipient, caller.token.scopes, this.wire),
      page: pagePathOf(row, this.wire),
      showsMessage: typeof row.message === 'string',
    }));
  }

  private async page(caller: Caller, query: PageQueryDto): Promise<Page<NoticeRow, UnreadNoticesResource>> {
    const subjects = readableSubjects(caller.token.scopes);
    const listing = { list: NOTICES_OF, total: NOTICES_TOTAL };
    const values = [caller.id, subjects];
    const { items, total, slice } = await readPage<NoticeRow>(this.database, listing, values, sliceOf(query));
    return new Page(items, total, slice, { unread: await this.reader.unread(this.database, caller.id, subjects) });
  }

  /**
   * Marks the notice `up_to` and all older notices of the caller's list as read. Throws 422 on `up_to` if the list does
   * not contain this notice.
   */
  async markReadUpTo(caller: Caller, { up_to }: ReadNoticesDto): Promise<UnreadNoticesResource> {
    const id = this.wire.ids.decode('notice', up_to);
    const subjects = readableSubjects(caller.token.scopes);
    return this.markAndCount(caller.id, subjects, async (tx) => {
      if (id === null || (await tx.rows(IS_NOTICE_OF, [caller.id, id, subjects])).length === 0)
        throw Refusal.invalid('up_to', 'unknown');
      await tx.rows(READ_NOTICES, [caller.id, id, this.clock.now(), subjects]);
    });
  }

  /** Marks the user's notices about an object as read; if `id` is null, about all objects of the type (NOTE-10). */
  async markReadAbout(userId: number, { type, id }: NoticeAbout): Promise<UnreadNoticesResource> {
    return this.markAndCount(userId, NOTICE_SUBJECTS, async (tx) => {
      await tx.rows(READ_NOTICES_ABOUT, [userId, type, id, this.clock.now()]);
    });
  }

  /**
   * Calls `mark`, which marks notices as read, in a transaction that has locked the account. Returns how many
   * notices about subjects of these types are still unread.
   */
  private async markAndCount(
    userId: number,
    subjects: readonly NoticeSubject[],
    mark: (tx: Transaction) => Promise<void>,
  ): Promise<UnreadNoticesResource> {
    return this.database.transaction(async (tx) => {
      // Concurrent requests that mark the same rows wait for this lock.
      await lockAccount(tx, userId);
      await mark(tx);
      return { unread: await this.reader.unread(tx, userId, subjects) };
    });
  }
}
