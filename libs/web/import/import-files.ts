import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Slots } from '#platform/capacity/slots';
import { Thread } from '#platform/threads/thread';
import type { FilledDraft } from './event-draft';
import type { ImportQuestion } from './import.thread';

/**
 * Reads files of other sites in a thread, one at a time. The calendar library loops forever on some recurrence rules
 * that match no date, so a thread that reads for too long is stopped.
 */
@Injectable()
export class ImportFiles implements OnModuleDestroy {
  private readonly thread = new Thread<ImportQuestion, FilledDraft[]>(join(__dirname, 'import.thread'));
  private readonly slots = new Slots({
    capacity: 1,
    queue: 20,
    maxWaitSeconds: 2 * LIMITS.imports.reading,
    assumedSeconds: 0.1,
  });

  async onModuleDestroy(): Promise<void> {
    this.slots.stop();
    await this.thread.stop();
  }

  /**
   * Returns the events of the file. The upcoming event that begins next comes first. The list contains at most
   * `LIMITS.imports.choices` + 1 events: the additional event shows that the file contains more events than a person
   * can choose from. The list is empty if the file is unreadable or takes too long to read.
   *
   * @throws ServiceBusy if too many files wait, if this file has waited too long, or if the server stops
   */
  draftsOf(question: ImportQuestion): Promise<readonly FilledDraft[]> {
    return this.slots.run(async () => {
      let isLate = false;
      const timeout = setTimeout(() => {
        isLate = true;
        void this.thread.stop();
      }, LIMITS.imports.reading * 1000);
      try {
        return await this.thread.ask(question);
      } catch (error) {
        if (isLate) return [];
        throw error;
      } finally {
        clearTimeout(timeout);
      }
    });
  }
}
