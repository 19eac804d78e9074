import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** What a server says of itself when it is connected to, and whenever it changes: "on" where it takes no writes. */
const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only'];
/** PostgreSQL's code for a write that it does not take: read_only_sql_transaction. */
const REFUSED_WRITE = '25006';

/** As node-postgres tells of what it reads; its types leave that out. */
interface ServerMessage {
  readonly code?: string;
  readonly parameterName?: string;
  readonly parameterValue?: string;
}

/**
 * A client that survives what becomes of its server, and is of no more use then: a pool throws it away. That holds of servers that have gone,
 * of those that are silent (a machine without power closes no connection), and of those that take no writes any more.
 */
export class SturdyClient extends Client {
  private readonly parameters = new Map<string, string>();
  private readonly answerMillis: number | null;

  /** `answerMillis`: after so long without a word while something is asked of it a server is given up. Above what it may take for a statement. */
  constructor(config: string | (ClientConfig & { answerMillis?: number }) = {}) {
    super(config);
    this.answerMillis = (typeof config === 'object' && config.answerMillis) || null;
    // A client in use has no error listener of its own: a database restart would end the process. The pool drops it anyway.
    this.on('error', () => undefined);
    this.connection.on('parameterStatus', ({ parameterName = '', parameterValue = '' }: ServerMessage) =>
      this.setParameter(parameterName, parameterValue),
    );
    this.connection.on('errorMessage', ({ code }: ServerMessage) => {
      if (code === REFUSED_WRITE) this.drop();
    });
    this.connection.once('readyForQuery', () => this.listenForSilence());
  }

  /** Whether the server that it is connected to takes writes, as it says itself (a pooler keeps that to itself, and is asked). */
  async takesWrites(): Promise<boolean> {
    const values = READ_ONLY.map((name) => this.parameters.get(name));
    if (values.every((value) => value !== undefined)) return values.every((value) => value === 'off');
    const { rows } = await this.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    return rows[0]?.transaction_read_only === 'off';
  }

  private setParameter(name: string, value: string): void {
    const before = this.parameters.get(name);
    this.parameters.set(name, value);
    if (READ_ONLY.includes(name) && before === 'off' && value === 'on') this.drop();
  }

  private listenForSilence(): void {
    if (this.answerMillis === null) return;
    (this.connection.stream as Socket).setTimeout(this.answerMillis, () => {
      if (!(this as unknown as { readyForQuery: boolean }).readyForQuery) this.drop();
    });
  }

  /** What is asked of it fails as with a connection that was lost. */
  private drop(): void {
    this.connection.stream.destroy();
  }
}
