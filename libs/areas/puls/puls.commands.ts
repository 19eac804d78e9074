import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Queryable, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import type { Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import { QuotasCommands } from '../quotas/quotas.commands';
import { cleanBodyOrNull } from './puls.body';
import { EXPIRIES_OF_ACTIVE_PULS_POSTS } from './puls.query';
import { newPulsPost, PulsPost, type PulsContent } from './puls-post.entity';

/** A post that an operator creates: a text and a place, without a picture or video. */
export interface ImportedPuls {
  /** HTML; sanitized like the text of other posts. */
  readonly body: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly locationName?: string | null;
  /** The current time if absent. The post expires a day after `createdAt`. */
  readonly createdAt?: Date;
  readonly paid?: boolean;
}

/** Creates Puls posts, inside the transaction of the calling code. */
@Injectable()
export class PulsCommands {
  constructor(
    private readonly quotas: QuotasCommands,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws the errors that `publish` would throw. Call this method before a file is stored or converted.
   * @throws Refusal 429 `daily_puls_limit`, then 422 `paid_post_unsupported` or 409 `active_limit_reached`
   */
  async refuseAtLimit(database: Queryable, authorId: number): Promise<void> {
    await this.quotas.refuseIfExhausted(database, 'puls', authorId);
    await this.refuseWhileActive(database, authorId);
  }

  /**
   * Counts the post towards the daily limit and inserts its row. The calling code has already stored the file of the
   * post. Concurrent requests cannot exceed the limits. Throws the same errors as `refuseAtLimit`.
   */
  async publish(tx: Transaction, authorId: number, content: PulsContent): Promise<PulsPost> {
    await lockAccount(tx, authorId);
    await this.quotas.take(tx, 'puls', authorId);
    await this.refuseWhileActive(tx, authorId);
    const post = newPulsPost(authorId, content, { paid: false, createdAt: this.clock.now() });
    await this.media.keep(tx, post.mediaKeys);
    await tx.manager.insert(PulsPost, post);
    return post;
  }

  /**
   * Stores an operator's post; no limits apply. Returns the post's id. Throws 422 `post_empty` if nothing visible
   * remains after the HTML is sanitized.
   */
  async import(
    tx: Transaction,
    authorId: number,
    { createdAt = this.clock.now(), paid = false, ...imported }: ImportedPuls,
  ): Promise<number> {
    const body = cleanBodyOrNull(imported.body);
    if (body === null) throw new Refusal('post_empty');
    const content = { ...imported, body, locationName: imported.locationName ?? null, imageKey: null, videoKey: null };
    const post = newPulsPost(authorId, content, { paid, createdAt });
    await tx.manager.insert(PulsPost, post);
    return post.id;
  }

  /**
   * The number of the author's active posts, and the time from which the author may publish another free post. The time
   * is null if the author has no active posts.
   */
  async usage(database: Queryable, authorId: number): Promise<Usage> {
    const [row] = await database.rows<{ total: number; expiries: Date[] | null }>(EXPIRIES_OF_ACTIVE_PULS_POSTS, [
      authorId,
      this.clock.now(),
    ]);
    const used = row?.total ?? 0;
    return { used, resetsAt: row?.expiries?.[Math.max(0, used - LIMITS.puls.free_active)] ?? null };
  }

  /**
   * Throws if the author may not publish a free post now. At most one free post is active; all other active posts were
   * imported by an operator or bought outside this API (PULS-5, PULS-6).
   */
  private async refuseWhileActive(database: Queryable, authorId: number): Promise<void> {
    const { used: active } = await this.usage(database, authorId);
    if (active >= LIMITS.puls.active) throw new Refusal('active_limit_reached');
    if (active >= LIMITS.puls.free_active) throw new Refusal('paid_post_unsupported');
  }
}
