import { Peer, type PeerMessage } from './peer';

describe('two processes that send each other questions', () => {
  const connected = () => {
    const [here, there]: [Peer, Peer] = [
      new Peer((message) => there.receive(serialized(message))),
      new Peer((message) => here.receive(serialized(message))),
    ];
    return { here, there };
  };
  const serialized = (message: PeerMessage): PeerMessage => JSON.parse(JSON.stringify(message)) as PeerMessage;

  it('receive the answers to their own questions, regardless of the order in which the answers arrive', async () => {
    const { here, there } = connected();
    const lateAnswers: (() => void)[] = [];
    there.handle('double', (n: number) => (n % 2 ? new Promise((done) => lateAnswers.push(() => done(n * 2))) : n * 2));
    here.handle('name', () => 'here');
    const answers = [1, 2, 3, 4].map((n) => here.ask<number>('double', n));
    expect(await Promise.all([answers[1], answers[3], there.ask('name')])).toEqual([4, 8, 'here']);
    for (const answer of lateAnswers.reverse()) answer();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
  });

  it('receive an error when the handler of the other process fails or is missing, or when the other process has exited', async () => {
    const { here, there } = connected();
    there.handle('fail', () => {
      throw new Error('it broke');
    });
    there.handle('never', () => new Promise(() => undefined));
    await expect(here.ask('fail')).rejects.toThrow('it broke');
    await expect(here.ask('what')).rejects.toThrow('the other process has no handler for "what"');
    const waiting = here.ask('never');
    here.disconnect();
    await expect(waiting).rejects.toThrow('the other process has exited before it answered');
    await expect(here.ask('never')).rejects.toThrow('the other process has exited');
  });
});
