import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const START_TIMEOUT_MS = 120_000;

/** The service as an operator runs it: `npm start` and `npm run cli`, with its own data folder and port. */
export class NpmService {
  readonly dataDir = join(mkdtempSync(join(tmpdir(), 'events-npm-')), 'data');
  output = '';
  private server: ChildProcess | null = null;

  private constructor(private port: number) {}

  /** Builds the service, and chooses a free port. */
  static async prepare(): Promise<NpmService> {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs')]);
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    return new NpmService(port);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Starts the service. Waits until the service is ready, and then at most 2.5 seconds for its banner. If `PORT` is 0,
   * the port in the banner becomes the port of the service.
   */
  async start(env: Record<string, string> = {}): Promise<void> {
    this.output = '';
    const server = spawn('npm', ['start'], { cwd: ROOT, env: this.env(env), stdio: ['ignore', 'pipe', 'pipe'] });
    this.server = server;
    server.stdout.on('data', (part) => (this.output += String(part)));
    server.stderr.on('data', (part) => (this.output += String(part)));
    const until = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      if (env['PORT'] === '0') this.port = Number(/:(\d+)\/docs/.exec(this.output)?.[1] ?? 0);
      if (this.port !== 0 && (await fetch(`${this.origin}/health/ready`).catch(() => null))?.status === 200) break;
      if (server.exitCode !== null || Date.now() > until) throw new Error(`npm start did not answer:\n${this.output}`);
      await pause(100);
    }
    // The server prints its banner after it can answer requests.
    for (let i = 0; i < 50 && !this.output.includes('/docs'); i++) await pause(50);
  }

  /** Sends the signal to npm, as Ctrl-C and process managers do. Returns npm's exit code. */
  async stop(signal: 'SIGINT' | 'SIGTERM'): Promise<number | null> {
    const server = this.server as ChildProcess;
    const exited = once(server, 'exit');
    server.kill(signal);
    const [code] = (await exited) as [number | null];
    await this.untilNoProcessRuns();
    return code;
  }

  /** Kills the process of the server, and returns when npm has exited too. */
  async kill(): Promise<void> {
    const server = this.server as ChildProcess;
    const exited = once(server, 'exit');
    for (const pid of this.processIds('start.mjs')) process.kill(pid, 'SIGKILL');
    await exited;
  }

  /**
   * Runs `npm run --silent cli -- …`. Returns the exit code, stdout and stderr. npm's warnings and the build message
   * are removed from stderr.
   */
  async cli(
    args: readonly string[],
    input = '',
    env: Record<string, string> = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const child = spawn('npm', ['run', '--silent', 'cli', '--', ...args], {
      cwd: ROOT,
      env: this.env(env),
      stdio: 'pipe',
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (part) => out.push(String(part)));
    child.stderr.on('data', (part) => err.push(String(part)));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout: out.join(''), stderr: err.join('').replace(/^(npm warn|Building).*\n/gm, '') };
  }

  /**
   * Returns the ids of the processes that have this data folder in their command line or environment. `text` selects
   * the processes whose command line contains this text.
   */
  processIds(text = ''): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        if (pid === process.pid) return false;
        const [command, environment] = [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)];
        return command.includes(text) && (command.includes(this.dataDir) || environment.includes(this.dataDir));
      });
  }

  async untilNoProcessRuns(): Promise<void> {
    for (let i = 0; i < 200 && this.processIds().length > 0; i++) await pause(50);
  }

  remove(): void {
    rmSync(join(this.dataDir, '..'), { recursive: true, force: true });
  }

  private env(extra: Record<string, string>): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, DATA_DIR: this.dataDir, PORT: String(this.port), ...extra };
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
