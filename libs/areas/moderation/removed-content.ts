import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { MediaFiles } from '#platform/media/media-files';
import { Signals } from '#platform/signals/signals';
import { EVENT_REMOVAL, lockAllOccurrences } from '../events/event-removal.commands';
import { EventDeleted, EventsCancelled } from '../events/event.signal';
import { PostDeleted } from '../posts/post.signal';
import { REMOVALS, type Content } from './contents';

/**
 * Permanently deletes removed objects and their dependent rows, and refunds the credits that people paid for deleted
 * events. The files of the objects are deleted after the commit (MOD-80, MOD-81).
 */
@Injectable()
export class RemovedContent {
  constructor(
    private readonly signals: Signals,
    private readonly media: MediaFiles,
  ) {}

  /**
   * Deletes the object and returns true. If the object is not removed, or was removed after `removedNotAfter`, deletes
   * nothing and returns false. If the object no longer exists, returns null.
   */
  async delete(tx: Transaction, content: Content, removedNotAfter: Date): Promise<boolean | null> {
    const { kind, id } = content;
    const state = await REMOVALS[kind].lock(tx, id);
    if (!state) return null;
    if (state.removedAt === null || state.removedAt > removedNotAfter) return false;
    if (kind === 'series')
      for (const occurrence of await lockAllOccurrences(tx, id)) await this.deleteEvent(tx, occurrence);
    if (kind === 'event') await this.deleteEvent(tx, id);
    else {
      if (kind === 'post') await this.signals.raise(tx, new PostDeleted(id));
      await this.media.markForDeletion(tx, await REMOVALS[kind].delete(tx, id));
    }
    return true;
  }

  /** The event is already hidden, so the signal `EventsCancelled` causes refunds but no notices. */
  private async deleteEvent(tx: Transaction, id: number): Promise<void> {
    await this.signals.raise(tx, new EventsCancelled([id], 'event'));
    await this.signals.raise(tx, new EventDeleted(id));
    await this.media.markForDeletion(tx, await EVENT_REMOVAL.delete(tx, id));
  }
}
