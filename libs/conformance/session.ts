import { setTimeout as pause } from 'node:timers/promises';
import { resolveReference, operationsOf, pathWith, type ApiDocument, type Operation } from './document';
import { ResponseValidator, type Answer } from './response-validator';

export interface CallOptions {
  /** Values of the path parameters, by their names. */
  readonly pathValues?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: the request is sent without a token. */
  readonly token?: string | null;
}

/** The server to test, and how to test it. */
export interface RunOptions {
  readonly document: ApiDocument;
  /** The server's origin. */
  readonly base: string;
  /** A token of an account with Premium. If `write` is true, the token needs write access. */
  readonly token: string;
  /** If true, the run also makes changes: it creates, changes and deletes a private event. */
  readonly write: boolean;
  /** Receives lines about the progress. */
  readonly say: (line: string) => void;
}

/** Milliseconds to wait for a response. After this time, the run ends with an error. */
const TIMEOUT_MS = 30_000;
/**
 * Maximum time to wait when a request limit is reached; longer than the window of any request limit. A 429 that
 * requires a longer wait is returned as the response.
 */
const MAX_WAIT_SECONDS = 120;

/** A run of the tests on one server. Sends requests, compares responses with the document, and collects failures. */
export class Session {
  readonly operations: readonly Operation[];
  readonly failures: string[] = [];
  requests = 0;
  private readonly validator: ResponseValidator;

  constructor(private readonly run: RunOptions) {
    this.operations = operationsOf(run.document);
    this.validator = new ResponseValidator(run.document);
  }

  get mayWrite(): boolean {
    return this.run.write;
  }

  operation(id: string): Operation | undefined {
    return this.operations.find((one) => one.id === id);
  }

  /** The values of an enumerated query parameter; undefined for other parameters. */
  valuesOf(schema: Operation['query'][number]['schema']): readonly unknown[] | undefined {
    return resolveReference(this.run.document, schema)['enum'] as readonly unknown[] | undefined;
  }

  /**
   * Sends a request and returns its response. Differences between the response and the document are recorded as
   * failures of the operation.
   */
  async call(operation: Operation, options: CallOptions = {}): Promise<Answer> {
    const query = new URLSearchParams(options.query).toString();
    const answer = await this.send(
      operation.method,
      pathWith(operation, options.pathValues ?? {}) + (query && `?${query}`),
      options,
    );
    for (const problem of this.validator.differences(operation, answer)) this.fail(operation.id, problem);
    return answer;
  }

  /**
   * Sends a request without checking its response. After a 429 whose `Retry-After` is at most MAX_WAIT_SECONDS, waits
   * and sends the request again.
   */
  async send(
    method: string,
    path: string,
    { json, headers, token = this.run.token }: CallOptions = {},
  ): Promise<Answer> {
    for (;;) {
      this.requests += 1;
      const response = await fetch(this.run.base.replace(/\/+$/, '') + path, {
        method,
        signal: AbortSignal.timeout(TIMEOUT_MS),
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
      if (response.status !== 429 || !(seconds <= MAX_WAIT_SECONDS))
        return { status: response.status, headers: response.headers, text, body: parsed(text) };
      this.run.say(`  … waits ${seconds} s, because the request limit is reached`);
      await pause(seconds * 1000);
    }
  }

  expect(isMet: boolean, where: string, failure: string): void {
    if (!isMet) this.fail(where, failure);
  }

  private fail(where: string, problem: string): void {
    const line = `${where}: ${problem}`;
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
