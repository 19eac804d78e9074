import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '#platform/config/settings';
import { newLogger } from '#platform/logging/logger';
import { Peer, type PeerMessage } from '#platform/workers/peer';
import { MESSAGES } from '#platform/workers/messages';
import { STOP_SIGNALS, WORKER_IS_REPLACEMENT, WORKER_NUMBER } from '#platform/workers/worker';
import { cannotListen } from '../cannot-listen';
import { WorkerMetrics, type MetricsReport } from '../metrics/worker-metrics';
import { metricsServer } from '../metrics/metrics-port';

/** The signal that replaces the workers one after another. */
const REPLACE = 'SIGUSR2';
/**
 * Milliseconds before a worker that died is restarted. The value doubles (up to `max`) each time a worker with the same
 * number dies within `STABLE_AFTER_MS` after its start.
 */
const RESTART_DELAY_MS = { first: 100, max: 30_000 } as const;
const STABLE_AFTER_MS = 60_000;
/** Milliseconds in which a worker must report its metrics. */
const METRICS_TIMEOUT_MS = 3_000;
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** A worker process and its number. */
interface WorkerProcess {
  readonly number: number;
  readonly worker: Worker;
  readonly peer: Peer;
  /** The time of the start, in milliseconds of `performance.now()`. */
  readonly since: number;
  /** Whether the worker has reported that it serves requests. */
  started: boolean;
  /**
   * Whether the worker is restarted when it exits. False for a worker that is being replaced. For the first worker and
   * for a replacement after SIGUSR2, false until the worker has started.
   */
  restarts: boolean;
}

/**
 * Runs several processes that share a port (WORKERS, OPS-61). The primary process serves no requests. It starts the
 * first worker alone, so that only this worker applies the migrations and loads the demo. Then it starts the others. It
 * restarts workers that die, replaces all workers one after another on SIGUSR2, and exits when the last worker has
 * exited after a signal to stop.
 *
 * The promise is resolved when each worker either serves requests or has exited during its start.
 */
export async function runWorkers(settings: Settings): Promise<void> {
  await new Workers(settings).start();
}

class Workers {
  private readonly log;
  private readonly workers = new Set<WorkerProcess>();
  private readonly workerMetrics = new WorkerMetrics();
  /**
   * For each worker number, how many workers with this number died in a row. If a worker dies after more than
   * `STABLE_AFTER_MS`, the count begins again.
   */
  private readonly deaths: number[] = [];
  private ending = false;
  private replacing = false;

  constructor(private readonly settings: Settings) {
    this.log = newLogger(settings).child({ context: 'Workers' });
  }

  async start(): Promise<void> {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.end());
    process.on(REPLACE, () => void this.replaceAll());
    await this.openMetrics();
    // If the first worker fails, the others would fail for the same reason (settings, database).
    if (!(await this.startWorker(0))) process.exit(1);
    await Promise.all(
      Array.from({ length: this.settings.workers - 1 }, (_, i) => this.startWorker(i + 1, { restarts: true })),
    );
  }

  /** Starts a worker. Returns whether the worker serves requests. */
  private startWorker(number: number, { isReplacement = false, restarts = false } = {}): Promise<boolean> {
    const worker = cluster.fork({
      [WORKER_NUMBER]: String(number),
      ...(isReplacement ? { [WORKER_IS_REPLACEMENT]: '1' } : {}),
    });
    // A message to a worker that has died is lost. When the worker exits, `peer.disconnect()` rejects all questions
    // that still wait for an answer.
    const peer = new Peer((message) => void worker.send(message, () => undefined));
    const entry: WorkerProcess = { number, worker, peer, since: performance.now(), started: false, restarts };
    this.workers.add(entry);
    worker.on('message', (message: PeerMessage) => peer.receive(message));
    peer.handle(MESSAGES.leaving, () => null);
    peer.handle(MESSAGES.metricsOfAll, () => this.metrics());
    return new Promise((resolve) => {
      peer.handle(MESSAGES.started, () => {
        entry.started = entry.restarts = true;
        resolve(true);
        // The shutdown began while the worker was starting.
        if (this.ending) this.send(entry, 'end');
      });
      const onEnd = (how: string | number): void => {
        peer.disconnect();
        this.workers.delete(entry);
        this.workerMetrics.recordExit(worker.id);
        resolve(false);
        this.onExit(entry, how);
      };
      worker.on('exit', (code, signal) => onEnd(signal ?? code));
      worker.on('error', (error) => {
        // If the system cannot start the process, for example because there are too many processes, the worker emits
        // no `exit`.
        if (worker.process.pid !== undefined) return;
        this.log.error({ err: error, place: number }, 'the process of a worker could not be started');
        onEnd(error.message);
      });
    });
  }

  private onExit(entry: WorkerProcess, how: string | number): void {
    if (this.ending) return void (this.workers.size === 0 && process.exit());
    if (entry.restarts) this.restart(entry, how);
  }

  /** Starts another worker in the place of a worker that has exited. */
  private restart({ number, since, worker }: WorkerProcess, how: string | number): void {
    const deaths = performance.now() - since > STABLE_AFTER_MS ? 0 : (this.deaths[number] ?? 0);
    this.deaths[number] = deaths + 1;
    const delay = Math.min(RESTART_DELAY_MS.first * 2 ** deaths, RESTART_DELAY_MS.max);
    this.log.error(
      { place: number, pid: worker.process.pid, how },
      `a worker has exited; it is restarted in ${delay} ms`,
    );
    setTimeout(() => this.ending || void this.startWorker(number, { isReplacement: true, restarts: true }), delay);
  }

  /**
   * Replaces the workers one after another. Each worker ends when its replacement serves requests. If a replacement
   * cannot start, the workers that are not replaced yet continue.
   */
  private async replaceAll(): Promise<void> {
    if (this.replacing || this.ending) return;
    this.replacing = true;
    for (const old of [...this.workers]) {
      while (!old.started && this.workers.has(old)) await pause(100);
      if (this.ending) break;
      if (!this.workers.has(old)) continue;
      // If the old worker dies now, the replacement takes its place. A restart would add another worker.
      old.restarts = false;
      if (!(await this.startWorker(old.number, { isReplacement: true }))) {
        if (this.ending) break;
        this.log.error({ place: old.number }, 'the new worker could not start: the old workers continue');
        if (this.workers.has(old)) old.restarts = true;
        else this.restart(old, 'died while its replacement started');
        break;
      }
      this.send(old, 'replaced');
      while (this.workers.has(old)) await pause(100);
    }
    this.replacing = false;
  }

  private end(): void {
    this.ending = true;
    for (const entry of this.workers) this.send(entry, 'end');
    if (this.workers.size === 0) process.exit();
  }

  /** Sends a message to a worker. A worker that does not listen for messages yet gets SIGTERM instead. */
  private send(entry: WorkerProcess, what: 'end' | 'replaced'): void {
    if (entry.started) void entry.peer.ask(MESSAGES[what]).catch(() => undefined);
    else entry.worker.process.kill('SIGTERM');
  }

  /** Opens METRICS_PORT, if it is set, before a worker starts. Throws if the port cannot be opened (OPS-84). */
  private async openMetrics(): Promise<void> {
    const { metricsPort, metricsToken, host } = this.settings;
    if (metricsPort === null) return;
    const server = metricsServer({ contentType: PROMETHEUS, text: () => this.metrics() }, metricsToken);
    await new Promise<void>((resolve, reject) => {
      server
        .once('error', (error) => reject(cannotListen('METRICS_PORT', metricsPort, host, error)))
        .listen(metricsPort, host, resolve);
    });
  }

  private async metrics(): Promise<string> {
    const started = [...this.workers].filter((entry) => entry.started);
    // The answer is a 500, so Prometheus sees that the service is down.
    if (started.length === 0) throw new Error('no worker serves requests');
    const reports = new Map<number, MetricsReport>();
    const questions = started.map(async ({ peer, worker }) => {
      const report = await Promise.race([peer.ask<MetricsReport>(MESSAGES.metrics), rejectAfterTimeout()]);
      reports.set(worker.id, report);
      this.workerMetrics.record(worker.id, report);
    });
    await Promise.allSettled(questions);
    // The counts of a worker that exited after its answer are among the sums of the exited workers.
    const running = new Set([...this.workers].map(({ worker }) => worker.id));
    for (const id of reports.keys()) if (!running.has(id)) reports.delete(id);
    return this.workerMetrics.text(reports);
  }
}

async function rejectAfterTimeout(): Promise<never> {
  await pause(METRICS_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('a worker did not report its metrics in time');
}
