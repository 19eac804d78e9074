import type { Client, ClientConfig } from 'pg';
import { databaseAddress, type NamedServer } from '../config/database-address';
import { NO_PRIMARY } from './availability';
import { findPrimary, forgetPrimary } from './primary';
import { ResilientClient } from './resilient-client';

type Callback = (error?: Error | null) => void;

/**
 * A PostgreSQL client that also accepts URLs with several servers, in libpq's syntax. Of several servers, the client
 * connects to the one that accepts writes (docs/adr/0305-several-servers.md). The service's connections to the primary
 * use this class.
 */
export class ServerClient extends ResilientClient {
  /** The servers among which the client looks for the primary. Empty if it connects to the host of the URL. */
  private readonly servers: readonly NamedServer[];
  private readonly address: string;

  constructor(config: string | (ClientConfig & { responseTimeoutMs?: number }) = {}) {
    const clientConfig = typeof config === 'string' ? { connectionString: config } : config;
    const { connectionString = '' } = clientConfig;
    const { url, servers } = databaseAddress(connectionString) ?? { url: connectionString, servers: [] };
    super(servers.length === 0 ? clientConfig : { ...clientConfig, connectionString: url });
    this.servers = servers;
    this.address = connectionString;
  }

  /** Fails if the URL has several servers and none of them accepts writes at the moment. */
  override connect(): Promise<Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<Client> | void {
    if (this.servers.length === 0) return callback ? super.connect(callback) : super.connect();
    const connected = this.connectToPrimary();
    if (!callback) return connected;
    connected.then(() => callback(), callback);
  }

  private async connectToPrimary(): Promise<Client> {
    const primary = await findPrimary(this.address, this.servers);
    // The stream is destroyed if the caller, such as the pool, has stopped waiting for the connection.
    if (this.connection.stream.destroyed) throw new Error('timeout expired');
    const { host, port } = primary;
    Object.assign(this, { host, port });
    try {
      await super.connect();
      if (!(await this.takesWrites())) throw new Error(NO_PRIMARY);
      return this;
    } catch (error) {
      forgetPrimary(this.address, primary);
      // The caller does not wait until the connection is closed.
      this.end().catch(() => undefined);
      throw error;
    }
  }
}
