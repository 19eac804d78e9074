import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** Parameters that a server reports on connection and on every change: "on" if it takes no writes. */
const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only'];
/** PostgreSQL's code for a refused write: read_only_sql_transaction. */
const REFUSED_WRITE = '25006';

/** Messages that node-postgres emits; its types leave them out. */
interface ServerMessage {
  readonly code?: string;
  readonly parameterName?: string;
  readonly parameterValue?: string;
}

/**
 * A client that survives the loss of its server and is unusable afterwards, so that the pool discards it. This covers
 * servers that are gone, servers that are silent (a machine without power closes no connection), and servers that no
 * longer take writes.
 */
export class SturdyClient extends Client {
  private readonly parameters = new Map<string, string>();
  private readonly answerMillis: number | null;

  /**
   * `answerMillis`: a server that stays silent for so long during a query is given up. Must be longer than the
   * statement timeout.
   */
  constructor(config: string | (ClientConfig & { answerMillis?: number }) = {}) {
    super(config);
    this.answerMillis = (typeof config === 'object' && config.answerMillis) || null;
    // A client in use has no error listener of its own: a database restart would end the process. The pool discards the
    // client anyway.
    this.on('error', () => undefined);
    this.connection.on('parameterStatus', ({ parameterName = '', parameterValue = '' }: ServerMessage) =>
      this.setParameter(parameterName, parameterValue),
    );
    this.connection.on('errorMessage', ({ code }: ServerMessage) => {
      if (code === REFUSED_WRITE) this.drop();
    });
    this.connection.once('readyForQuery', () => this.listenForSilence());
  }

  /**
   * Whether the server takes writes, by the parameters that it reported. A pooler does not report them, so it is
   * queried.
   */
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

  /** Pending queries fail as with a lost connection. */
  private drop(): void {
    this.connection.stream.destroy();
  }
}
