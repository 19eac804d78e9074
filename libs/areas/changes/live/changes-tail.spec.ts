import { Logger } from '@nestjs/common';
import type { ChangeSequencer } from '#platform/changes/change-sequencer';
import type { CommitNotifier } from '#platform/changes/commit-notifier';
import type { Database, Statement } from '#platform/database/database';
import { ChangesTail } from './changes-tail';

/** The number of the last entry when a request begins to follow the feed. */
const LAST = 10n;

/** Returns a `ChangesTail` that gets its rows from the function `rows`, and a function that announces a commit. */
function tailWith(rows: (sql: Statement, values: readonly unknown[]) => Promise<object[]>, sequencer: object) {
  let listener = (): void => undefined;
  const commits = {
    follow: (callback: () => void) => {
      listener = callback;
      return () => undefined;
    },
  };
  const tail = new ChangesTail(
    { rows } as unknown as Database,
    sequencer as unknown as ChangeSequencer,
    commits as unknown as CommitNotifier,
  );
  return { tail, commit: () => listener() };
}

// CHG-11, CHG-12, CHG-16
describe('a request that follows the feed', () => {
  it('is notified of a change even if reading the entries fails twice and no further change is committed', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let failures = 2;
    const { tail, commit } = tailWith(
      async ({ name }) => {
        if (name !== 'changes_new_topics') return [{ kind: 'event', id: '7' }];
        if (failures-- > 0) throw new Error('the connection is lost');
        return [{ last: '11', topic_kind: 'event', topic_id: '7', person_id: null, parent_id: null }];
      },
      { numberEntries: async () => LAST },
    );
    const { follower, leave } = await tail.follow(1);
    commit();
    expect(await follower.waitForChanges(10_000, new AbortController().signal)).toBe('news');
    expect(logged).toHaveBeenCalledTimes(2);
    leave();
    logged.mockRestore();
  });
});

// CHG-11, CHG-12, CHG-16
describe('if two requests begin to follow the feed at the same time', () => {
  it('the first request is notified even of an entry that gets its number from the second request', async () => {
    const numbers: ((last: bigint) => void)[] = [];
    const sequencer = { numberEntries: () => new Promise<bigint>((resolve) => numbers.push(resolve)) };
    const rows = async (sql: Statement, [seen]: readonly unknown[]): Promise<object[]> => {
      if (sql.name !== 'changes_new_topics') return [{ kind: 'event', id: '7' }];
      const isNew = Number(seen) < 11;
      return [{ last: '11', topic_kind: isNew ? 'event' : null, topic_id: '7', person_id: null, parent_id: null }];
    };
    const { tail, commit } = tailWith(rows, sequencer);

    const first = tail.follow(1);
    const second = tail.follow(2);
    numbers[0]?.(LAST);
    const { follower, leave } = await first;
    // The second request gives entry 11 its number before the notification of the commit arrives.
    numbers[1]?.(11n);
    const other = await second;
    commit();
    expect(await follower.waitForChanges(500, new AbortController().signal)).toBe('news');
    leave();
    other.leave();
  });
});
