/**
 * Runs a job in batches of limited size, until a batch finds fewer than `size` items.
 *
 * @param size the maximum number of items in a batch
 *
 * @param signal the job's signal; if the signal is aborted before a batch, its reason is thrown and no batch runs
 *
 * @param batch runs one batch in a separate transaction and returns the number of items found
 *
 * @returns the number of items of all batches
 */
export async function inBatches(size: number, signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let found = size; found === size; total += found) {
    signal.throwIfAborted();
    found = await batch();
  }
  return total;
}
