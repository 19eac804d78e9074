import { setTimeout as pause } from 'node:timers/promises';
import { followed, operationsOf, pathWith, type ApiDocument, type Operation } from './document';
import { Judge, type Answer } from './judge';

export interface CallOptions {
  readonly names?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** null: without a token. */
  readonly token?: string | null;
}

export interface Run {
  readonly document: ApiDocument;
  /** The server's origin. */
  readonly base: string;
  /** Of an account with Premium; for `write` one that may write. */
  readonly token: string;
  /** Also what changes something: a private event, made and deleted. */
  readonly write: boolean;
  /** Told what is going on. */
  readonly say: (line: string) => void;
}

/** For one answer: a server that gives none ends the run. */
const PATIENCE_MS = 30_000;
/** Longer than any window of requests. */
const LONGEST_WAIT_SECONDS = 120;

/** One run against one server: sends, holds every answer against the document, keeps what was broken. */
export class Session {
  readonly operations: readonly Operation[];
  readonly failures: string[] = [];
  requests = 0;
  private readonly judge: Judge;

  constructor(private readonly run: Run) {
    this.operations = operationsOf(run.document);
    this.judge = new Judge(run.document);
  }

  get mayWrite(): boolean {
    return this.run.write;
  }

  operation(id: string): Operation | undefined {
    return this.operations.find((one) => one.id === id);
  }

  /** The values that a parameter of a query may have, when they are counted. */
  valuesOf(schema: Operation['query'][number]['schema']): readonly unknown[] | undefined {
    return followed(this.run.document, schema)['enum'] as readonly unknown[] | undefined;
  }

  /** Its answer; what in it is not as declared is a failure of the operation. */
  async call(operation: Operation, options: CallOptions = {}): Promise<Answer> {
    const query = new URLSearchParams(options.query).toString();
    const answer = await this.send(
      operation.method,
      pathWith(operation, options.names ?? {}) + (query && `?${query}`),
      options,
    );
    for (const what of this.judge.differences(operation, answer)) this.fail(operation.id, what);
    return answer;
  }

  /** A request of no operation. Used-up windows are waited out. */
  async send(
    method: string,
    path: string,
    { json, headers, token = this.run.token }: CallOptions = {},
  ): Promise<Answer> {
    for (;;) {
      this.requests += 1;
      const response = await fetch(this.run.base.replace(/\/+$/, '') + path, {
        method,
        signal: AbortSignal.timeout(PATIENCE_MS),
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? null : JSON.stringify(json),
      });
      const text = await response.text();
      const seconds = Number(response.headers.get('retry-after') ?? NaN);
      if (response.status !== 429 || !(seconds <= LONGEST_WAIT_SECONDS))
        return { status: response.status, headers: response.headers, text, body: parsed(text) };
      this.run.say(`  … ${seconds} s for the limit of requests`);
      await pause(seconds * 1000);
    }
  }

  expect(isKept: boolean, where: string, promise: string): void {
    if (!isKept) this.fail(where, promise);
  }

  private fail(where: string, what: string): void {
    const line = `${where}: ${what}`;
    if (!this.failures.includes(line)) this.failures.push(line);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
