import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { Page, sliceOf, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import type { ReadNoticesDto } from './notice.dto';
import {
  IS_NOTICE_OF,
  NOTICES_OF,
  NOTICES_TOTAL,
  READ_NOTICES,
  READ_NOTICES_ABOUT,
  type NoticeRow,
} from './notice.query';
import { noticeResource, type NoticeResource, type UnreadNoticesResource } from './notice.resource';
import type { NoticeReader } from './notice-words';
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

  /** Newest first. */
  async list(
    userId: number,
    query: PageQueryDto,
    reader: NoticeReader,
  ): Promise<Page<NoticeResource, UnreadNoticesResource>> {
    const show = (row: NoticeRow): NoticeResource => noticeResource(row, reader, this.wire);
    const { items, total, slice } = await readPage(
      this.database,
      { list: NOTICES_OF, total: NOTICES_TOTAL },
      [userId],
      sliceOf(query),
      show,
    );
    return new Page(items, total, slice, { unread: await this.reader.unread(this.database, userId) });
  }

  /** Marks that notice and all older ones as read. 422 on `up_to` for a notice of another user. */
  async read(userId: number, { up_to }: ReadNoticesDto): Promise<UnreadNoticesResource> {
    const id = this.wire.ids.decode('notice', up_to);
    return this.mark(userId, async (tx) => {
      if (id === null || (await tx.rows(IS_NOTICE_OF, [userId, id])).length === 0)
        throw Refusal.invalid('up_to', 'unknown');
      await tx.rows(READ_NOTICES, [userId, id, this.clock.now()]);
    });
  }

  /** Marks the notices about one thing as read (NOTE-10). */
  async readAbout(userId: number, { type, id }: NoticeAbout): Promise<UnreadNoticesResource> {
    return this.mark(userId, async (tx) => {
      await tx.rows(READ_NOTICES_ABOUT, [userId, type, id, this.clock.now()]);
    });
  }

  private async mark(userId: number, read: (tx: Transaction) => Promise<void>): Promise<UnreadNoticesResource> {
    return this.database.transaction(async (tx) => {
      // Serializes requests that mark the same rows.
      await lockAccount(tx, userId);
      await read(tx);
      return { unread: await this.reader.unread(tx, userId) };
    });
  }
}
