import { ServiceBusy } from '../capacity/service-busy';
import { BodyGate } from './body-gate';

// LIM-9
describe('bodies of one network', () => {
  it.each([
    ['an IPv6 network is a /64', (i: number) => `2001:db8:0:1::${i + 1}`, '2001:db8:0:2::1'],
    [
      'an IPv4 address is the same in its IPv6 form',
      (i: number) => (i % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'),
      '192.0.2.2',
    ],
  ])('are received sixteen at a time, and do not delay another network (%s)', async (_name, address, another) => {
    const gate = new BodyGate();
    const notAborted = new AbortController();
    let end = () => undefined as void;
    const untilEnd = new Promise<void>((resolve) => (end = resolve));
    let receiving = 0;
    const bodies = Array.from({ length: 20 }, (_, i) =>
      gate.run({ account: i, address: address(i) }, () => (receiving++, untilEnd), notAborted.signal),
    );
    await new Promise(setImmediate);
    expect(receiving).toBe(16);
    await gate.run({ account: 20, address: another }, () => Promise.resolve(), notAborted.signal);
    end();
    await Promise.all(bodies);
    expect(receiving).toBe(20);
  });
});

// LIM-9
describe('bodies of one account', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('are received four at a time; a fifth body is refused after it has waited for thirty seconds, and does not delay bodies of another account', async () => {
    const gate = new BodyGate();
    const notAborted = new AbortController();
    let end = () => undefined as void;
    const untilEnd = new Promise<void>((resolve) => (end = resolve));
    let receiving = 0;
    const run = (account: number) =>
      gate.run({ account, address: `192.0.2.${account}` }, () => (receiving++, untilEnd), notAborted.signal);
    const bodies = Array.from({ length: 4 }, () => run(1));
    let outcome: unknown = 'waiting';
    const fifth = run(1).catch((error: unknown) => (outcome = error));
    const another = run(2);
    await new Promise(setImmediate);
    expect(receiving).toBe(5);
    await jest.advanceTimersByTimeAsync(29_000);
    expect(outcome).toBe('waiting');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(outcome).toBeInstanceOf(ServiceBusy);
    end();
    await Promise.all([...bodies, fifth, another]);
    for (const property of ['accounts', 'networks'])
      expect((Reflect.get(gate, property) as { slots: Map<unknown, unknown> }).slots.size).toBe(0);
  });
});
