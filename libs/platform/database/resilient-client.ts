import type { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryConfig } from 'pg';

/**
 * Parameters that a server reports when a client connects and when a parameter changes. If one of them is "on", the
 * server accepts no writes.
 */
const READ_ONLY_PARAMETERS = ['in_hot_standby', 'default_transaction_read_only'];
/**
 * Milliseconds to wait for the answer when `takesWrites` queries the server. A connection pooler that has lost
 * PostgreSQL still accepts queries, but does not answer them.
 */
const STATE_TIMEOUT_MS = 2_000;
/**
 * TCP keep-alive detects a lost machine. After ten seconds without data, the operating system sends up to ten probes.
 * If none is answered, the connection ends with an error.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;
/** PostgreSQL's code for a refused write: read_only_sql_transaction. */
const REFUSED_WRITE = '25006';

/** The data of node-postgres events. The types of node-postgres do not contain it. */
interface ServerMessage {
  readonly code?: string;
  readonly parameterName?: string;
  readonly parameterValue?: string;
}

/**
 * A client that does not end the process when the database server is lost. A client that has lost its server is
 * unusable, so the pool discards this client. A server counts as lost if it closes the connection, does not answer (a
 * machine without power closes no connection), or no longer takes writes.
 */
export class ResilientClient extends Client {
  private readonly parameters = new Map<string, string>();
  private readonly responseTimeoutMs: number | null;

  /**
   * `responseTimeoutMs`: if the server sends nothing for this time during a query, the client closes the connection.
   * This time must be longer than the statement timeout.
   */
  constructor(config: string | (ClientConfig & { responseTimeoutMs?: number }) = {}) {
    super({ ...KEEP_ALIVE, ...(typeof config === 'string' ? { connectionString: config } : config) });
    this.responseTimeoutMs = (typeof config === 'object' && config.responseTimeoutMs) || null;
    // pg adds no error listener to a client in use, so the restart of a database would end the process. The error can
    // be ignored, because the pool discards the client.
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
   * Whether the server takes writes, according to the parameters that it has reported. If a pooler has not passed these
   * parameters on, the server is queried.
   */
  async takesWrites(): Promise<boolean> {
    const values = READ_ONLY_PARAMETERS.map((name) => this.parameters.get(name));
    if (values.every((value) => value !== undefined)) return values.every((value) => value === 'off');
    const { rows } = await this.query<{ transaction_read_only: string }>({
      text: 'SHOW transaction_read_only',
      query_timeout: STATE_TIMEOUT_MS,
    } as QueryConfig);
    return rows[0]?.transaction_read_only === 'off';
  }

  private setParameter(name: string, value: string): void {
    const before = this.parameters.get(name);
    this.parameters.set(name, value);
    if (READ_ONLY_PARAMETERS.includes(name) && before === 'off' && value === 'on') this.drop();
  }

  private listenForSilence(): void {
    if (this.responseTimeoutMs === null) return;
    (this.connection.stream as Socket).setTimeout(this.responseTimeoutMs, () => {
      if (!(this as unknown as { readyForQuery: boolean }).readyForQuery) this.drop();
    });
  }

  /** Closes the connection. Pending queries fail in the same way as after a lost connection. */
  private drop(): void {
    this.connection.stream.destroy();
  }
}
