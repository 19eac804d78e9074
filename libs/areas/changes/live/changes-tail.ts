import { Injectable, Logger } from '@nestjs/common';
import { ChangeSequencer } from '#platform/changes/change-sequencer';
import { CommitNotifier } from '#platform/changes/commit-notifier';
import { Database, statement } from '#platform/database/database';
import { TOPICS_OF } from '../visibility/change-rows.query';

/**
 * If `NEW_TOPICS` finds more than this number of rows, all waiting requests (`Follower`) are woken. A topic is the
 * account, event or group to which an entry of the feed of changes belongs (`TOPICS_OF`).
 */
const MAX_TOPICS = 5_000;

/** Milliseconds after which a failed read is repeated. */
const RETRY_MS = 700;

/**
 * The topics and persons of the entries after number $1, and the groups of new events: at most $2 distinct rows.
 * Each row also has the number of the last entry of the feed; if there are no entries, one row has only this number.
 * The condition on `at` limits the search to the newest partitions.
 */
const NEW_TOPICS = statement(
  'changes_new_topics',
  `SELECT feed.last_number AS last, c.topic_kind, c.topic_id, c.person_id, c.parent_id
     FROM change_feed feed
     LEFT JOIN (SELECT DISTINCT topic_kind, topic_id, person_id, CASE WHEN type = 'event.created' THEN parent_id END AS parent_id FROM changes
                 WHERE id > $1 AND at >= clock_timestamp() - interval '1 day' LIMIT $2) c ON true`,
);

interface NewTopic {
  readonly last: string;
  readonly topic_kind: string | null;
  readonly topic_id: string;
  readonly person_id: string | null;
  readonly parent_id: string | null;
}

/** An open request that waits for changes. */
export class Follower {
  /** The topics that the account follows. Null if they are unknown; every change may then be relevant. */
  private topics: ReadonlySet<string> | null = null;
  private isWoken = false;
  private wakeUp: (() => void) | null = null;

  constructor(private readonly load: () => Promise<ReadonlySet<string>>) {}

  /** Resolves when there may be changes, when `signal` is aborted, or after `milliseconds`. */
  async waitForChanges(milliseconds: number, signal: AbortSignal): Promise<'news' | 'nothing'> {
    if (!this.isWoken && !signal.aborted && milliseconds > 0) {
      let timer: NodeJS.Timeout | undefined;
      let wakeUp = (): void => undefined;
      await new Promise<void>((resolve) => {
        wakeUp = () => resolve();
        this.wakeUp = wakeUp;
        timer = setTimeout(resolve, milliseconds);
        signal.addEventListener('abort', wakeUp);
      });
      this.wakeUp = null;
      signal.removeEventListener('abort', wakeUp);
      clearTimeout(timer);
    }
    const woken = this.isWoken;
    this.isWoken = false;
    return woken ? 'news' : 'nothing';
  }

  /** Reads the account's topics again. */
  async reloadTopics(): Promise<void> {
    this.topics = null;
    this.topics = await this.load();
  }

  /**
   * Whether a change of the topics `touched` may be relevant to the account. If `touched` is null, any topic may have
   * changed.
   */
  concerns(touched: readonly string[] | null): boolean {
    return touched === null || this.topics === null || touched.some((topic) => this.topics?.has(topic));
  }

  wake(): void {
    this.isWoken = true;
    this.wakeUp?.();
  }
}

/**
 * Reads new entries of the feed once for all waiting requests of this process, and wakes the requests that follow a
 * topic of these entries.
 */
@Injectable()
export class ChangesTail {
  private readonly log = new Logger(ChangesTail.name);
  private readonly followers = new Set<Follower>();
  /** The topics of entries up to this number have been read. */
  private seen: bigint | null = null;
  private reading: Promise<void> | null = null;
  private mustReadAgain = false;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly database: Database,
    private readonly sequencer: ChangeSequencer,
    private readonly commits: CommitNotifier,
  ) {}

  /** After the promise has resolved, every relevant change wakes the follower. Call `leave` to remove the follower. */
  async follow(accountId: number): Promise<{ follower: Follower; leave: () => void }> {
    const follower = new Follower(() => this.topicsOf(accountId));
    if (this.followers.size === 0) this.seen = null;
    this.followers.add(follower);
    this.unsubscribe ??= this.commits.follow(() => this.startReading());
    const leave = (): void => {
      this.followers.delete(follower);
      if (this.followers.size > 0) return;
      this.unsubscribe?.();
      this.unsubscribe = null;
    };
    try {
      if (this.seen === null) {
        const last = await this.sequencer.numberEntries();
        // Another call may have set a lower number in the meantime. The follower of that call still needs the entries
        // after the lower number.
        this.seen ??= last;
      }
      await follower.reloadTopics();
    } catch (error) {
      leave();
      throw error;
    }
    return { follower, leave };
  }

  private startReading(): void {
    if (this.reading) {
      this.mustReadAgain = true;
      return;
    }
    this.reading = this.readNewTopics()
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'new entries of the feed of changes could not be read');
        // The notifier does not know that the read failed. Without this timer, the read would be repeated only after
        // the next change.
        if (this.followers.size > 0) setTimeout(() => this.startReading(), RETRY_MS).unref();
      })
      .finally(() => {
        this.reading = null;
        if (!this.mustReadAgain) return;
        this.mustReadAgain = false;
        this.startReading();
      });
  }

  private async readNewTopics(): Promise<void> {
    if (this.seen === null) return;
    const rows = await this.database.rows<NewTopic>(NEW_TOPICS, [this.seen, MAX_TOPICS + 1]);
    this.seen = BigInt(rows[0]?.last ?? this.seen);
    const news = rows.filter(({ topic_kind }) => topic_kind !== null);
    if (news.length === 0) return;
    const touched = news.length > MAX_TOPICS ? null : [...new Set(news.flatMap(topicsOf))];
    for (const follower of this.followers) if (follower.concerns(touched)) follower.wake();
  }

  private async topicsOf(accountId: number): Promise<ReadonlySet<string>> {
    const rows = await this.database.rows<{ kind: string; id: string }>(TOPICS_OF, [accountId]);
    return new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  }
}

/**
 * A change may create a topic that the waiting requests have not loaded yet. Therefore the person of an entry and the
 * group of a new event also count as topics.
 */
function topicsOf({ topic_kind, topic_id, person_id, parent_id }: NewTopic): string[] {
  return [
    `${topic_kind} ${topic_id}`,
    person_id === null ? [] : `account ${person_id}`,
    parent_id === null ? [] : `group ${parent_id}`,
  ].flat();
}
