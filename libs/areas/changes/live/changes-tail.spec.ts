import type { ChangeSequencer } from '#platform/changes/change-sequencer';
import type { CommitNotifier } from '#platform/changes/commit-notifier';
import type { Database, Statement } from '#platform/database/database';
import { ChangesTail } from './changes-tail';

// CHG-11, CHG-12, CHG-16
describe('requests that begin to follow the feed at the same time', () => {
  it('are woken by the entries after the lowest number, even if another request gets its number later', async () => {
    const numbers: ((last: bigint) => void)[] = [];
    const sequencer = { number: () => new Promise<bigint>((resolve) => numbers.push(resolve)) };
    let commit = (): void => undefined;
    const commits = {
      follow: (listener: () => void) => {
        commit = listener;
        return () => undefined;
      },
    };
    const rows = async (sql: Statement, [seen]: readonly unknown[]): Promise<object[]> => {
      if (sql.name !== 'changes_new_topics') return [{ kind: 'event', id: '7' }];
      const isNew = Number(seen) < 11;
      return [{ last: '11', topic_kind: isNew ? 'event' : null, topic_id: '7', person_id: null, parent_id: null }];
    };
    const tail = new ChangesTail(
      { rows } as unknown as Database,
      sequencer as unknown as ChangeSequencer,
      commits as unknown as CommitNotifier,
    );

    const first = tail.follow(1);
    const second = tail.follow(2);
    numbers[0]?.(10n);
    const { follower, leave } = await first;
    // The other request gives entry 11 its number before the notification of the commit arrives.
    numbers[1]?.(11n);
    const other = await second;
    commit();
    expect(await follower.waitForChanges(500, new AbortController().signal)).toBe('news');
    leave();
    other.leave();
  });
});
