import { cpSync, renameSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PushSending } from '#areas/push/push-sending';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { makeDataFolder } from '#platform/config/data-folder';
import { readSettings } from '#platform/config/load-settings';
import { type Settings } from '#platform/config/settings';
import { StartupError } from '#platform/config/startup-error';
import { Database } from '#platform/database/database';
import { answerBrokenHttp } from '#platform/http/broken-http';
import { Jobs } from '#platform/jobs/jobs';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { loadDemo } from '../demo/demo';
import { answerUnusualRequests, HTTP_OPTIONS, newAdapter, setUpServer } from '../server.setup';
import { ServerModule } from '../server.module';
import { REQUEST_TIMEOUT } from '../timeouts';
import { nextStop } from './due-moments';
import { accountsIn, FIRST_FILES, makeFirstState } from './first-state';
import { answerControl, type Controls } from './sandbox-control';
import { SandboxClock } from './sandbox-clock';
import { SandboxDatabase } from './sandbox-database';
import { RAISED_LIMIT } from './sandbox-limits';
import { SandboxMailbox } from './sandbox-mailbox';
import { openAccounts, wireNow, type SandboxPeople } from './sandbox-people';

interface SandboxOptions {
  /** Whether the rate limits of a real server apply. If not, they are raised (`RAISED_LIMIT`). */
  readonly hasRealLimits: boolean;
  /** The environment variable PORT. If it is not set, a free port is used. */
  readonly port: string | undefined;
  /** The sandbox's folder. It is empty or contains the stored first state, and is removed when the sandbox ends. */
  readonly folder: string;
  /** Whether a stored first state was copied into `folder`. The promise resolves when the copy is complete. */
  readonly stored: Promise<boolean>;
}

/** How many milliseconds a reset waits for the requests in progress to end. */
const MAX_REQUEST_WAIT_MS = 300;
/** The same interval as that of a server's job scheduler. */
const JOBS_EVERY_MS = 60_000;
const HOST = '127.0.0.1';
const ENDING = 'the sandbox is ending';

/**
 * A temporary server for the tests of API clients (SBX-1 to SBX-6). The HTTP server `front` passes requests to the
 * service. A reset replaces the service by a new one, which runs on a copy of the first state: the demo data and the
 * accounts before the first request.
 */
export class Sandbox implements Controls {
  readonly clock = new SandboxClock();
  readonly mails = new SandboxMailbox(() => wireNow(this.clock));
  /** Null before the first start has ended, during a reset, and after a reset that failed. */
  private app: NestFastifyApplication | null = null;
  private isEnding = false;
  private inProgress = 0;
  /** Resolves when the last task has ended. Clock moves, resets and runs of due jobs are tasks: they never overlap. */
  private lastTask: Promise<unknown> = Promise.resolve();
  private readonly jobTimer: NodeJS.Timeout;

  private constructor(
    private readonly folder: string,
    private readonly database: SandboxDatabase,
    private readonly front: Server,
    private readonly settings: Settings,
    private readonly accounts: SandboxPeople,
  ) {
    const { baseUrl } = settings;
    answerUnusualRequests(front, baseUrl);
    front.on('clientError', (error, socket) => answerBrokenHttp(error, socket as Socket, baseUrl));
    front.off('request', answerUnavailable).on('request', (request, response) => {
      // Node.js would send the system's time.
      response.setHeader('date', this.clock.now().toUTCString());
      if (request.url?.startsWith('/sandbox/')) return void answerControl(this, request, response);
      if (!this.app) return answerUnavailable(request, response);
      this.inProgress++;
      response.once('close', () => this.inProgress--);
      this.app.getHttpAdapter().getInstance().routing(request, response);
    });
    this.jobTimer = setInterval(() => void this.enqueue(() => this.runDue()).catch(() => undefined), JOBS_EVERY_MS);
  }

  static async start({ hasRealLimits, port: wantedPort, folder, stored }: SandboxOptions): Promise<Sandbox> {
    const front = await startListening(wantedPort);
    const { port } = front.address() as AddressInfo;
    const settings = settingsFor(folder, port, hasRealLimits);
    if (!(await stored)) await makeFirstState(folder, (database) => prepare(settings, database));
    const sandbox = new Sandbox(folder, await SandboxDatabase.open(folder), front, settings, accountsIn(folder));
    await sandbox.open();
    return sandbox;
  }

  /** The content of the JSON document that the sandbox prints when it has started. */
  get description(): SandboxPeople & { readonly base_url: string } {
    return { base_url: this.settings.baseUrl, ...this.accounts };
  }

  get baseUrl(): string {
    return this.settings.baseUrl;
  }

  /**
   * Moves the clock from the current time to the time that `targetOf` returns. Everything that becomes due in between
   * runs in the order of its due time (SBX-3). Returns how often each job ran.
   */
  advanceTo(targetOf: (now: Date) => Date): Promise<Record<string, number>> {
    return this.enqueue(async () => {
      const app = this.runningApp();
      const target = targetOf(this.clock.now());
      const runCounts: Record<string, number> = {};
      await this.sendDue();
      while (this.clock.now() < target) {
        if (this.isEnding) throw new Error(ENDING);
        const stop = await nextStop(app.get(Database), this.clock.now(), target, this.settings.noticeQuietSeconds);
        this.clock.moveTo(stop);
        await this.database.setTimeAhead(this.clock.aheadMs);
        for (const name of await this.runDue()) runCounts[name] = (runCounts[name] ?? 0) + 1;
        await this.sendDue();
      }
      return runCounts;
    });
  }

  /** Restores the first state, deletes the mails, and sets the clock to the real time (SBX-4). */
  reset(): Promise<void> {
    return this.enqueue(async () => {
      if (this.isEnding) throw new Error(ENDING);
      const { app } = this;
      this.app = null;
      const deadline = performance.now() + MAX_REQUEST_WAIT_MS;
      while (this.inProgress > 0 && performance.now() < deadline) await pause(5);
      await app?.close();
      this.clock.reset();
      await this.open();
    });
  }

  async end(): Promise<void> {
    this.isEnding = true;
    clearInterval(this.jobTimer);
    this.front.close();
    this.front.closeAllConnections();
    // A reset or a move of the clock that is in progress needs the database and the folder.
    await this.lastTask;
    await this.app?.close();
    await this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts the service with a copy of the first state. */
  private async open(): Promise<void> {
    await this.database.restore();
    rmSync(this.settings.dataDir, { recursive: true, force: true });
    cpSync(join(this.folder, FIRST_FILES), this.settings.dataDir, { recursive: true });
    const settings = { ...this.settings, databaseUrl: this.database.url };
    const app = await NestFactory.create<NestFastifyApplication>(
      ServerModule.with(settings, { clock: this.clock, mailbox: this.mails }),
      newAdapter(settings),
      { bodyParser: false, abortOnError: false, logger: ['error'] },
    );
    try {
      await setUpServer(app);
      await app.init();
      await app.getHttpAdapter().getInstance().ready();
      app.get(WebhookSending).start();
      app.get(PushSending).start();
      await app.get(MailDelivery).start();
      // The mails about the creation of the demo data are dropped. Otherwise they would arrive later, among a client's
      // own mails.
      await app.get(MailDelivery).drain();
      this.mails.clear();
    } catch (error) {
      await app.close().catch(() => undefined);
      throw error;
    }
    this.app = app;
  }

  private runningApp(): NestFastifyApplication {
    if (!this.app) throw new Error('the service is not running; a reset starts it again');
    return this.app;
  }

  /** Runs the jobs that are due, and returns their names. */
  private runDue(): Promise<string[]> {
    return this.runningApp().get(Jobs).runDue();
  }

  /** Sends the messages to webhooks, the push messages and the mails that are due. */
  private async sendDue(): Promise<void> {
    await this.runningApp().get(WebhookSending).drain();
    await this.runningApp().get(PushSending).drain();
    await this.runningApp().get(MailDelivery).drain();
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const next = this.lastTask.then(work);
    this.lastTask = next.catch(() => undefined);
    return next;
  }
}

/** Prepares the first state: the database with the schema, the demo data and the accounts, and the stored files. */
async function prepare(settings: Settings, { firstUrl }: SandboxDatabase): Promise<SandboxPeople> {
  makeDataFolder(settings.dataDir);
  const app = await NestFactory.create<NestFastifyApplication>(
    ServerModule.with({ ...settings, databaseUrl: firstUrl }),
    newAdapter(settings),
    { bodyParser: false, abortOnError: false, logger: false },
  );
  await loadDemo(app);
  const accounts = await openAccounts(app);
  // The tables of the mail queue are created here, because otherwise each start and each reset would create them.
  await app.get(MailDelivery).start();
  await app.close();
  renameSync(settings.dataDir, join(dirname(settings.dataDir), FIRST_FILES));
  return accounts;
}

/** Answers a request while there is no service that could answer it. */
function answerUnavailable(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' });
  response.end(
    '{"message":"The sandbox is starting or is being reset, or the last reset failed.","code":"server_error"}',
  );
}

export async function startListening(port: string | undefined): Promise<Server> {
  const requestedPort = Number(port ?? 0);
  if (!Number.isInteger(requestedPort) || requestedPort < 0 || requestedPort > 65_535)
    throw new StartupError(`PORT must be a whole number from 0 to 65535, not "${port}".`);
  const front = createServer({ requestTimeout: REQUEST_TIMEOUT, ...HTTP_OPTIONS }, answerUnavailable);
  await new Promise<void>((resolve, reject) => {
    front.once('error', (error: NodeJS.ErrnoException) =>
      reject(new StartupError(`The sandbox cannot listen on port ${requestedPort}: ${error.code ?? error.message}.`)),
    );
    front.listen(requestedPort, HOST, resolve);
  });
  return front;
}

/** The sandbox uses only PORT from the environment, so that it cannot change a real installation. */
function settingsFor(folder: string, port: number, hasRealLimits: boolean): Settings {
  return readSettings({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: 'postgres://127.0.0.1/',
    APP_SECRET: 'the secret of every sandbox, which guards nothing',
    HOST,
    PORT: String(port),
    LOG_LEVEL: 'error',
    DEMO_DATA: 'off',
    MAP_TILES_URL: 'off',
    SMTP_URL: 'smtp://127.0.0.1:1',
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    ...(hasRealLimits
      ? {}
      : { RATE_LIMIT_TOKEN_PER_MINUTE: String(RAISED_LIMIT), RATE_LIMIT_IP_PER_MINUTE: String(RAISED_LIMIT) }),
  });
}
