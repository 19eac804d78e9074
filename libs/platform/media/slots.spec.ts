import { ServiceBusy } from '../http/service-busy';
import { Slots } from './slots';

/** Work that ends when the test says so. */
function works() {
  const running = new Set<string>();
  const enders = new Map<string, () => void>();
  const begin = (name: string) => () =>
    new Promise<string>((resolve) => {
      running.add(name);
      enders.set(name, () => {
        running.delete(name);
        resolve(name);
      });
    });
  const end = async (name: string) => {
    enders.get(name)?.();
    await new Promise(setImmediate);
  };
  return { running: () => [...running].join(), begin, end };
}

describe('Slots', () => {
  it('lets only so many in, the next in the order of their coming', async () => {
    const { running, begin, end } = works();
    const slots = new Slots({ capacity: 2, queue: 10, wait: 10 });
    const all = ['a', 'b', 'c', 'd'].map((name) => slots.run(begin(name)));
    await new Promise(setImmediate);
    expect(running()).toBe('a,b');
    await end('b');
    expect(running()).toBe('a,c');
    await end('a');
    await end('c');
    await end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('turns away who finds the queue full, before the work begins', async () => {
    const { running, begin, end } = works();
    const slots = new Slots({ capacity: 1, queue: 1, wait: 7 });
    const a = slots.run(begin('a'));
    const b = slots.run(begin('b'));
    await expect(slots.run(begin('c'))).rejects.toEqual(new ServiceBusy(7));
    await expect(slots.run(begin('c'))).rejects.toMatchObject({ retryAfter: 7 });
    await end('a');
    expect(running()).toBe('b');
    await end('b');
    await Promise.all([a, b]);
  });

  it('turns away who waits too long, and goes on with the others', async () => {
    const { running, begin, end } = works();
    const slots = new Slots({ capacity: 1, queue: 10, wait: 0.05 });
    const a = slots.run(begin('a'));
    await expect(slots.run(begin('b'))).rejects.toBeInstanceOf(ServiceBusy);
    const c = slots.run(begin('c'));
    await end('a');
    expect(running()).toBe('c');
    await end('c');
    await Promise.all([a, c]);
  });

  it('frees the slot of work that fails', async () => {
    const slots = new Slots({ capacity: 1, queue: 0, wait: 1 });
    await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});
