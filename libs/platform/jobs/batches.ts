/**
 * A job's work in bounded batches, until one finds less than it had room for.
 * @param size of a full batch
 * @param signal of the job, looked at before each batch: what aborts it is thrown
 * @param batch does one, a transaction of its own, and says how much it found
 * @returns how much all of them found
 */
export async function inBatches(size: number, signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let found = size; found === size; total += found) {
    signal.throwIfAborted();
    found = await batch();
  }
  return total;
}
