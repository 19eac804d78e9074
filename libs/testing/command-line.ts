import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '#apps/cli/run-command';
import { withTerminal } from '#apps/cli/terminal';
import type { Settings } from '#platform/config/settings';
import { createTestDatabase } from './test-database';

const load = createRequire(__filename);
/**
 * The package @nestjs/typeorm stores the name of each data source, also of a source that failed to start, and warns if
 * a name is used twice. A second command in this process would cause this warning, so the names are cleared before each
 * command.
 */
const { DataSourceNameRegistry: dataSources } = load(
  join(dirname(load.resolve('@nestjs/typeorm')), 'data-source-name.registry.js'),
) as { DataSourceNameRegistry: { clear(): void } };

type CommandResult = { code: number; stdout: string; stderr: string };

/**
 * The operator's command line, on a new database and data folder (`open`), or on the database and data folder of an
 * installation (`forDatabaseOf`). It works like `npm run cli`, but in this process, because loading the service in
 * another process takes seconds. `NpmService` runs commands in separate processes.
 */
export class CommandLine {
  private constructor(
    private readonly environment: Readonly<Record<string, string>>,
    readonly close: () => Promise<void> = async () => undefined,
  ) {}

  /** Opens a command line on a new database, which has all migrations and no accounts. */
  static async open(): Promise<CommandLine> {
    const [database, dataDir] = [await createTestDatabase(), mkdtempSync(join(tmpdir(), 'events-cli-'))];
    return new CommandLine({ DATABASE_URL: database.url, DATA_DIR: dataDir }, async () => {
      rmSync(dataDir, { recursive: true, force: true });
      await database.drop();
    });
  }

  /** A command line on the database and the data folder of an installation, with or without a running server. */
  static forDatabaseOf(settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'appSecret'>): CommandLine {
    const { databaseUrl, dataDir, appSecret } = settings;
    return new CommandLine({ DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, APP_SECRET: appSecret });
  }

  get dataDir(): string {
    return this.environment['DATA_DIR']!;
  }

  /** Runs a command with `input` as stdin. If `failure` is not null, every write to stdout fails with this error. */
  async run(
    args: readonly string[],
    input: string | Buffer = '',
    env: Readonly<Record<string, string>> = {},
    failure: Error | null = null,
  ): Promise<CommandResult> {
    const [stdout, stderr] = [new CapturedOutput(failure), new CapturedOutput()];
    const terminal = {
      environment: { ...this.environment, ...env },
      exitCode: 0,
      operator: '',
      stdin: Readable.from([input]),
      readStdin: () => Buffer.from(input as string),
      stdout,
      stderr,
    };
    dataSources.clear();
    const code = await withTerminal(terminal, () => runCommand(args));
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** Returns the parsed JSON output of a command. Asserts that the command succeeds and writes nothing to stderr. */
  async answer(...args: string[]) {
    const { code, stdout, stderr } = await this.run(args);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  /**
   * Returns the text that a refused command writes to stderr. Asserts that the command ends with exit code 1 and writes
   * nothing to stdout.
   */
  async refusal(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    expect([code, stdout]).toEqual([1, '']);
    return stderr.trim();
  }
}

class CapturedOutput extends Writable {
  text = '';

  constructor(private readonly failure: Error | null = null) {
    super();
  }

  override _write(part: Buffer | string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.failure) this.text += String(part);
    done(this.failure);
  }
}
