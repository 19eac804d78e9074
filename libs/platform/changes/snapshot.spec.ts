import { Snapshot } from './snapshot';

const read = (text: string): Snapshot => {
  const snapshot = Snapshot.parse(text);
  if (!snapshot) throw new Error(text);
  return snapshot;
};
const seenOf = (snapshot: Snapshot): number[] =>
  Array.from({ length: 40 }, (_, xid) => xid).filter((xid) => snapshot.sees(BigInt(xid)));

describe('a snapshot', () => {
  it.each(['10:20:10,14', '10:10:', '7:9:8'])('is written as it is read: %s', (text) =>
    expect(read(text).toString()).toBe(text),
  );

  it.each([
    '',
    '10',
    '10:20',
    '20:10:',
    '10:20:30',
    '10:20:9',
    '10:20:14,12',
    '10:20:12,12',
    '10:20:a',
    '-1:2:',
    '10:20:10,',
  ])('is nothing else: %j', (text) => expect(Snapshot.parse(text)).toBeNull());

  it('sees transactions that ended before it, and none that was running', () => {
    expect(seenOf(read('10:14:10,12'))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13]);
  });

  it('between two snapshots sees all of the earlier one, and the part of the later one below the stop', () => {
    const [earlier, later] = [read('10:20:10,12,18'), read('12:30:12,25,28')];
    for (let end = 10; end <= 30; end++) {
      const stop = earlier.towards(later, BigInt(end));
      expect(Snapshot.parse(stop.toString())).not.toBeNull();
      expect(seenOf(stop)).toEqual(seenOf(later).filter((xid) => xid < end || earlier.sees(BigInt(xid))));
    }
  });
});
