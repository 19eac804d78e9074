import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { MediaFiles } from '#platform/media/media-files';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import type { PulsFeedQueryDto } from './puls.dto';
import {
  ACTIVE_PULS_POSTS_OF_AUTHOR,
  COUNT_ACTIVE_PULS_POSTS,
  PULS_FEED,
  type FeedPulsRow,
  type PulsRow,
} from './puls.query';
import { feedPulsResource, ownPulsResource, type PulsResource } from './puls.resource';
import { PulsPost } from './puls-post.entity';

/** The feed, with the limit and the radius of the query. */
export interface PulsFeed {
  readonly posts: PulsResource[];
  /** The number of posts within the radius, including posts beyond `limit`. The counting stops at `max_counted`. */
  readonly total: number;
  readonly limit: number;
  readonly radiusKm: number;
}

const { feed } = LIMITS.puls;

/** Reads and deletes posts (PULS-8, PULS-12). */
@Injectable()
export class PulsService {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly files: MediaFiles,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Active posts around a place, nearest first. Omits posts of people whom the caller blocks, and of people who block
   * the caller (PULS-10).
   */
  async feed(caller: Caller, query: PulsFeedQueryDto): Promise<PulsFeed> {
    const { lat, lng, radius_km: radiusKm = feed.radius_km.default, limit = feed.limit.default } = query;
    const values = [caller.id, lat, lng, radiusKm, limit, this.clock.now()];
    const rows = await this.reading.during(() => this.database.rows<FeedPulsRow>(PULS_FEED, values));
    return {
      posts: rows.map((row) => feedPulsResource(row, caller.id, this.wire)),
      total: rows[0]?.total ?? 0,
      limit,
      radiusKm,
    };
  }

  /** The caller's own active posts, newest first. */
  async ownPosts(caller: Caller, query: PageQueryDto): Promise<Page<PulsResource>> {
    const listing = { list: ACTIVE_PULS_POSTS_OF_AUTHOR, total: COUNT_ACTIVE_PULS_POSTS };
    const posts = await this.reading.during(() =>
      readPage<PulsRow>(this.database, listing, [caller.id, this.clock.now()], sliceOf(query)),
    );
    return posts.map((row) => ownPulsResource(row, caller, this.wire));
  }

  /** Throws 404 if no active post has this id, and 403 `not_owner` if another person wrote the post. */
  async remove(caller: Caller, pulsId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const active = { id: pulsId, expiresAt: MoreThan(this.clock.now()) };
      const post = await tx.manager.findOne(PulsPost, { where: active, lock: { mode: 'pessimistic_write' } });
      if (!post) throw new Refusal('not_found');
      if (!post.isBy(caller.id)) throw new Refusal('not_owner');
      await tx.manager.delete(PulsPost, { id: pulsId });
      await this.files.markForDeletion(tx, post.mediaKeys);
    });
  }
}
