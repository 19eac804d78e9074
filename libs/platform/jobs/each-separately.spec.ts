import { Logger } from '@nestjs/common';
import { eachSeparately } from './each-separately';

// OPS-13
describe('the work of a job for several items', () => {
  let logged: jest.SpyInstance;
  beforeEach(() => (logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)));
  afterEach(() => logged.mockRestore());

  it('is done for the items after a failing item; then the run fails, and the log names the item', async () => {
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 2) throw new Error('no connection');
      done.push(item);
    };
    await expect(eachSeparately([1, 2, 3], new AbortController().signal, work)).rejects.toThrow('1 of 3 items failed');
    expect(done).toEqual([1, 3]);
    expect(logged).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'no connection' }), item: 2 },
      expect.any(String),
    );
  });

  it.each([
    ['between two items', async () => undefined],
    ['during the work of an item', () => Promise.reject(new Error('connection closed'))],
  ])('ends with the reason of the signal if the job is stopped %s', async (_, end) => {
    const stop = new AbortController();
    const done: number[] = [];
    const work = async (item: number) => {
      done.push(item);
      stop.abort(new Error('the server is shutting down'));
      await end();
    };
    await expect(eachSeparately([1, 2], stop.signal, work)).rejects.toThrow('the server is shutting down');
    expect([done, logged.mock.calls]).toEqual([[1], []]);
  });
});
