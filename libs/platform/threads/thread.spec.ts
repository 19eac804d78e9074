import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Thread } from './thread';

const FILE = join(__dirname, '../../testing/halving.thread');

describe('a thread', () => {
  let thread: Thread<number, number>;
  beforeEach(() => (thread = new Thread(FILE)));
  afterEach(async () => {
    jest.restoreAllMocks();
    await thread.stop();
  });

  it('answers every question, in order', async () => {
    const order: number[] = [];
    const answers = [8, 4, 2].map(async (number) => order.push(await thread.ask(number)));
    await Promise.all(answers);
    expect(order).toEqual([4, 2, 1]);
  });

  it('rejects all pending questions after a failure, and starts again', async () => {
    const waiting = [thread.ask(3), thread.ask(4)];
    await expect(waiting[0]).rejects.toMatchObject({
      message: 'The thread has failed.',
      cause: { message: '3 is odd' },
    });
    await expect(waiting[1]).rejects.toThrow('The thread has failed.');
    expect(await thread.ask(6)).toBe(3);
  });

  it('rejects a question that cannot be cloned, and does not keep the process running afterwards', async () => {
    const calls: string[] = [];
    for (const method of ['ref', 'unref'] as const)
      jest.spyOn(Worker.prototype, method).mockImplementation(() => void calls.push(method));
    await expect(thread.ask((() => 8) as never)).rejects.toThrow('could not be cloned');
    expect(calls).toEqual(['unref']);
    expect(await thread.ask(8)).toBe(4);
    expect(calls).toEqual(['unref', 'ref', 'unref']);
  });

  it('can be stopped before it starts; a later stop rejects the pending question, and the next question starts the thread again', async () => {
    await thread.stop();
    const waiting = thread.ask(8);
    await thread.stop();
    await expect(waiting).rejects.toThrow('The thread has ended');
    expect(await thread.ask(8)).toBe(4);
  });
});
