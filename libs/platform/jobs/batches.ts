/**
 * Runs a job in bounded batches, until one finds less than its size.
 * @param size of a full batch
 * @param signal of the job, checked before each batch; its reason is thrown
 * @param batch runs one batch in its own transaction, and returns the number of found items
 * @returns the sum over all batches
 */
export async function inBatches(size: number, signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let found = size; found === size; total += found) {
    signal.throwIfAborted();
    found = await batch();
  }
  return total;
}
