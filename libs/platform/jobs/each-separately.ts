import { Logger } from '@nestjs/common';
import { OperatorError } from '#platform/config/operator-error';

const log = new Logger('Jobs');

/**
 * Runs the work of a job for each item, one after another. If the work of an item fails, the failure is logged with the
 * item, and the other items are still processed (OPS-13).
 *
 * @param items short values that identify the items, such as ids, because they are logged
 *
 * @param signal the job's signal; if the signal is aborted, its reason is thrown and no further work begins
 *
 * @param work processes one item in a separate transaction
 *
 * @throws OperatorError after the last item, if the work of at least one item has failed. The run then counts as failed
 */
export async function eachSeparately<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let failures = 0;
  for (const item of items) {
    signal.throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      signal.throwIfAborted();
      log.error({ err: error, item }, 'the work of a job failed for one item');
      failures++;
    }
  }
  if (failures > 0) throw new OperatorError(`${failures} of ${items.length} items failed; the log has the reasons.`);
}
