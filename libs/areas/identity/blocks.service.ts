import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { Signals } from '#platform/signals/signals';
import type { Caller } from './caller.reader';
import { BLOCK_BY_SLUG, SELECT_BLOCKS, BLOCKS_TOTAL, UNBLOCK_BY_SLUG, type BlockRow } from './blocks/block.query';
import { blockResource, type BlockResource } from './blocks/block.resource';
import { UserBlocked, UserToBeBlocked } from './user.signal';

/**
 * Lists, adds and ends the caller's blocks. Operators can replace the blocks of an account from the command line
 * (ACC-16). Blocked people are not notified.
 */
@Injectable()
export class BlocksService {
  constructor(
    private readonly database: Database,
    private readonly signals: Signals,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, query: PageQueryDto): Promise<Page<BlockResource>> {
    const listing = { list: SELECT_BLOCKS, total: BLOCKS_TOTAL };
    const blocks = await readPage<BlockRow>(this.database, listing, [caller.id], sliceOf(query));
    return blocks.map((row) => blockResource(row, this.wire));
  }

  /**
   * Throws 422 on `slug` for the caller's own slug, and 404 for an unknown slug or the pseudonym of a deleted account.
   * If the block already exists, its time is not changed. Returns the person's name.
   */
  async block(caller: Caller, slug: string): Promise<string> {
    if (slug === caller.slug) throw Refusal.invalid('slug', 'not_oneself');
    return this.database.transaction(async (tx) => {
      await this.signals.raise(tx, new UserToBeBlocked(caller.id, slug));
      const [blocked] = await tx.rows<{ name: string }>(BLOCK_BY_SLUG, [caller.id, slug, this.clock.now()]);
      if (!blocked) throw new Refusal('not_found');
      await this.signals.raise(tx, new UserBlocked(caller.id, slug));
      return blocked.name;
    });
  }

  /** Throws 404 if the caller does not block this person. Returns the person's name. */
  async unblock(caller: Caller, slug: string): Promise<string> {
    const [unblocked] = await this.database.autocommit.rows<{ name: string }>(UNBLOCK_BY_SLUG, [caller.id, slug]);
    if (!unblocked) throw new Refusal('not_found');
    return unblocked.name;
  }
}
