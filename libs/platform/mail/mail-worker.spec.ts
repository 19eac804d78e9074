import type PgBoss from 'pg-boss';
import { MailWorker } from './mail-worker';

/** A queue with two jobs. Job 1 cannot be marked as completed, because the database is unavailable. */
function queueOfTwo(): PgBoss {
  const batches = [[1, 2].map((id) => ({ id: String(id), data: { id } }))];
  return {
    fetch: async () => batches.shift() ?? [],
    complete: async (_queue: string, id: string) => {
      if (id === '1') throw new Error('the database is unavailable');
    },
  } as unknown as PgBoss;
}

describe('the sending of mails', () => {
  it('stops only after all mails of the batch are sent, even if a job of the batch cannot be marked as completed', async () => {
    let sendSecond = (): void => undefined;
    const sent: number[] = [];
    const worker = new MailWorker(queueOfTwo(), 'mails', async (id) => {
      if (id === 2) await new Promise<void>((resolve) => (sendSecond = resolve));
      sent.push(id);
    });
    worker.wake();
    await new Promise(setImmediate);
    setImmediate(() => sendSecond());
    await worker.stop();
    expect(sent).toEqual([1, 2]);
  });
});
