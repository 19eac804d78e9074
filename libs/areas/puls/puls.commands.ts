import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Queryable, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import type { Usage } from '#platform/rate-limit/usage';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import { QuotasCommands } from '../quotas/quotas.commands';
import { readable } from './puls.body';
import { EXPIRIES_OF_ACTIVE_PULS_POSTS } from './puls.query';
import { newPulsPost, PulsPost, type PulsContent } from './puls-post.entity';

/** A post made outside this API, text only. */
export interface ImportedPuls {
  /** HTML; cleaned like any other. */
  readonly body: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly locationName?: string | null;
  /** Absent: now. It lasts a day from then on. */
  readonly createdAt?: Date;
  readonly paid?: boolean;
}

/** What may be done with Puls posts, inside a transaction of the one who asks. */
@Injectable()
export class PulsCommands {
  constructor(
    private readonly quotas: QuotasCommands,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses as `publish` would at this moment, before a file is stored or converted.
   * @throws Refusal 429 `daily_puls_limit`, then 422 `paid_post_unsupported` or 409 `active_limit_reached`
   */
  async refuseWithoutRoom(on: Queryable, authorId: number): Promise<void> {
    await this.quotas.refuseIfExhausted(on, 'puls', authorId);
    await this.refuseWhileActive(on, authorId);
  }

  /** Takes one of the day's slots and writes the post, its file stored; exact however many the author sends at once. Refuses as above. */
  async publish(tx: Transaction, authorId: number, content: PulsContent): Promise<PulsPost> {
    await lockAccount(tx, authorId);
    await this.quotas.take(tx, 'puls', authorId);
    await this.refuseWhileActive(tx, authorId);
    const post = newPulsPost(authorId, content, { paid: false, createdAt: this.clock.now() });
    await this.media.keep(tx, post.mediaKeys);
    await tx.manager.insert(PulsPost, post);
    return post;
  }

  /** Writes a post as an operator says it; asks for no limit. 422 `post_empty` when nothing can be read in it. Returns its id. */
  async import(
    tx: Transaction,
    authorId: number,
    { createdAt = this.clock.now(), paid = false, ...imported }: ImportedPuls,
  ): Promise<number> {
    const body = readable(imported.body);
    if (body === null) throw new Refusal('post_empty');
    const content = { ...imported, body, locationName: imported.locationName ?? null, imageKey: null, videoKey: null };
    const post = newPulsPost(authorId, content, { paid, createdAt });
    await tx.manager.insert(PulsPost, post);
    return post.id;
  }

  /** How many of the author's posts are active, and when the next free one may be published as far as they are concerned. */
  async usage(on: Queryable, authorId: number): Promise<Usage> {
    const [row] = await on.rows<{ total: number; expiries: Date[] | null }>(EXPIRIES_OF_ACTIVE_PULS_POSTS, [
      authorId,
      this.clock.now(),
    ]);
    const used = row?.total ?? 0;
    return { used, resetsAt: row?.expiries?.[Math.max(0, used - LIMITS.puls.free_active)] ?? null };
  }

  /** One free post may be active at a time; what else there is was made outside this API (PULS-5, PULS-6). */
  private async refuseWhileActive(on: Queryable, authorId: number): Promise<void> {
    const { used: active } = await this.usage(on, authorId);
    if (active >= LIMITS.puls.active) throw new Refusal('active_limit_reached');
    if (active >= LIMITS.puls.free_active) throw new Refusal('paid_post_unsupported');
  }
}
