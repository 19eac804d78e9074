import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isReadingMethod } from '#contract/vocabulary';
import { currentAccount, currentRequest } from '../../context/current-request';
import { Database } from '../database';
import { currentUnit } from '../unit-of-work';
import type { CommitPosition } from '../transaction';
import type { HiddenPosition } from './hidden-position';
import { readingScopes, type ReadingScope } from './reading-scope';
import type { Replica } from './replica';
import type { Replicas } from './replicas';
import type { WrittenPositions } from './written-positions';

/** The name of the primary in metrics. The name of a replica is its host and port. */
export const PRIMARY = 'primary';

/** The replicas, and the WAL positions that a replica must have reached before it may answer a read. */
export interface Replication {
  readonly replicas: Replicas;
  /** The positions of each account's own writes. */
  readonly written: WrittenPositions;
  /** The position of the last commit that hid, removed or deleted data. */
  readonly hidden: HiddenPosition;
}

/**
 * PostgreSQL's error code for a cancelled statement, for example after the statement timeout. Such a read is not
 * repeated, because another server would need as much time.
 */
const STATEMENT_TIMEOUT = '57014';

/**
 * The account that reads. Null: the reader has no account. `unknown`: the request has cookies, and the account of a
 * session cookie has not been looked up yet.
 */
type Reader = number | null | 'unknown';

/**
 * Runs reads that a streaming replica can answer (docs/adr/0300-read-replicas.md). Without replicas, the reads run on
 * the primary at no extra cost.
 */
@Injectable()
export class ReadingDatabase {
  private readonly chosenReplicas = new WeakMap<FastifyRequest, Replica | null>();
  private readonly counts = new Map<string, number>();

  constructor(
    database: Database,
    private readonly replication: Replication | null,
  ) {
    if (replication) database.followCommits((commit) => this.recordCommit(replication, commit));
  }

  /**
   * Runs `work` so that all its reads (`Database.rows`) use one server, and passes the server's name to `work`. For a
   * GET or HEAD, this server may be a replica that already has the writes of the reader. If `work` throws on a replica,
   * `work` is repeated on the primary, except after a statement timeout. So `work` must only read. If something is
   * nevertheless committed during `work`, the later reads of `work` use the primary. A nested call of `during` uses the
   * server of the outer call.
   */
  async during<T>(work: (server: string) => Promise<T>, reader: Reader = readerOf()): Promise<T> {
    if (!this.replication) return work(PRIMARY);
    const open = readingScopes.getStore();
    if (open) return work(nameOf(open.replica));
    const replica = await this.replicaFor(this.replication, reader);
    if (replica) {
      try {
        return await this.runOn(replica, work);
      } catch (error) {
        if ((error as { code?: unknown } | null)?.code === STATEMENT_TIMEOUT) throw error;
        this.switchToPrimary();
      }
    }
    return this.runOn(null, work);
  }

  /** The number of calls of `during` on each server. Nested calls are not counted. Empty if there are no replicas. */
  get readsPerServer(): ReadonlyMap<string, number> {
    return this.counts;
  }

  get replicas(): readonly Replica[] {
    return this.replication?.replicas.all ?? [];
  }

  /** Where the positions of accounts' writes are stored; null if there are no replicas. */
  get store(): WrittenPositions['store'] | null {
    return this.replication?.written.store ?? null;
  }

  /** Starts to use replicas. */
  start(): void {
    this.replication?.replicas.start();
  }

  /** Checks the primary and the replicas now. */
  async check(): Promise<void> {
    await this.replication?.replicas.check();
  }

  async close(): Promise<void> {
    await this.replication?.replicas.stop();
    await this.replication?.written.close();
  }

  private runOn<T>(replica: Replica | null, work: (server: string) => Promise<T>): Promise<T> {
    const name = nameOf(replica);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return readingScopes.run({ replica }, () => work(name));
  }

  private async replicaFor({ replicas, written, hidden }: Replication, reader: Reader): Promise<Replica | null> {
    const request = currentRequest.getStore();
    if (!request || !isReadingMethod(request.method) || currentUnit()) return null;
    const earlierChoice = this.chosenReplicas.get(request);
    if (earlierChoice !== undefined) return earlierChoice;
    const position = reader === null ? 0 : reader === 'unknown' ? Infinity : await written.positionOf(reader);
    // During the await, a commit or an error may have chosen the primary for this request.
    const replica =
      this.chosenReplicas.get(request) === null ? null : replicas.findUsable(Math.max(position, hidden.required));
    this.chosenReplicas.set(request, replica);
    return replica;
  }

  private switchToPrimary(): void {
    const request = currentRequest.getStore();
    if (request) this.chosenReplicas.set(request, null);
    const scope: ReadingScope | undefined = readingScopes.getStore();
    if (scope) scope.replica = null;
  }

  private async recordCommit({ written, hidden }: Replication, commit: CommitPosition): Promise<void> {
    this.switchToPrimary();
    if (commit.hidden) hidden.remember(commit.position);
    const account = currentAccount();
    if (account !== null) await written.remember(account, commit.position);
  }
}

function nameOf(replica: Replica | null): string {
  return replica?.name ?? PRIMARY;
}

/**
 * Returns the reader of the current request. If the account is not known and the request has cookies, the reader is
 * `unknown`, because one of the cookies may be a session cookie of an account that has just written.
 */
function readerOf(): Reader {
  return currentAccount() ?? (currentRequest.getStore()?.headers.cookie === undefined ? null : 'unknown');
}
