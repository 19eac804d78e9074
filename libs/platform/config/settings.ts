import { type TrustProxy } from './public-addresses';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type StorageSettings =
  { readonly kind: 'local' } | ({ readonly kind: 's3'; readonly bucket: string } & S3Settings);

/** The S3 service that contains the buckets for stored files and for backups. */
export interface S3Settings {
  /**
   * The address of an S3-compatible service. The path of each request to this service begins with the bucket's name.
   * Null for Amazon S3.
   */
  readonly endpoint: string | null;
  readonly region: string;
}

/**
 * Timeouts in milliseconds, for: the wait for a free connection, a statement, the wait for a lock, and the time between
 * two statements of a transaction.
 */
export interface DatabaseTimeouts {
  readonly connect: number;
  readonly statement: number;
  readonly lock: number;
  readonly idleInTransaction: number;
}

/** The timeouts for requests. Requests must not wait longer for the database (OPS-10). */
export const DATABASE_TIMEOUTS: DatabaseTimeouts = {
  connect: 2_000,
  statement: 5_000,
  lock: 3_000,
  idleInTransaction: 5_000,
};

/**
 * All settings of the environment (docs/operating/settings.md), and four values that only commands and tests change:
 * `databaseTimeoutSeconds`, `bodyTimeoutSeconds`, `databaseTimeouts` and `nameservers`. This class is also the token
 * for Nest's injection.
 */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** The public origin, followed by a path if BASE_URL has one, without a trailing slash. */
  readonly baseUrl: string;
  /** Null for the embedded database. */
  readonly databaseUrl: string | null;
  /**
   * Seconds that the service waits at its start for an external database to answer. The database may be starting at the
   * same time.
   */
  readonly databaseTimeoutSeconds: number;
  /** Seconds in which the body of a request must arrive. Uploads have other limits. */
  readonly bodyTimeoutSeconds: number;
  /** Timeouts of the database queries of a request. */
  readonly databaseTimeouts: DatabaseTimeouts;
  /**
   * Maximum number of connections in the pool of this process, for requests and jobs. LISTEN, the mail queue and,
   * behind a pooler, the locks of jobs use additional connections. Each replica has another pool of this size.
   */
  readonly databasePool: number;
  /** An absolute path. */
  readonly dataDir: string;
  readonly demoData: boolean;
  readonly appSecret: string;
  readonly redisUrl: string | null;
  readonly storage: StorageSettings;
  readonly s3: S3Settings;
  readonly rateLimitTokenPerMinute: number;
  readonly rateLimitIpPerMinute: number;
  readonly trustProxy: TrustProxy;
  /** Whether this server runs scheduled jobs, and sends webhooks and push messages. */
  readonly jobs: boolean;
  readonly ffmpegPath: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /**
   * Whether the service may send requests to private addresses and by plain http, for tests and demos. This concerns
   * webhooks, push messages, imports and the metadata documents of apps.
   */
  readonly webhooksAllowPrivate: boolean;
  /** Whether the requests of each account are logged for the account's owner. */
  readonly requestLog: boolean;
  /**
   * IP addresses with ports of the nameservers that resolve host names given by accounts. Null: the nameservers of this
   * machine.
   */
  readonly nameservers: readonly string[] | null;
  /** Whether notices are pushed to browsers. */
  readonly push: boolean;
  readonly smtpUrl: string | null;
  /** The URL (mailto:, https:, tel:) to which vulnerabilities can be reported. */
  readonly securityContact: string | null;
  /** The URL of map tiles with `{z}`, `{x}`, `{y}`; null: no maps. */
  readonly mapTilesUrl: string | null;
  /**
   * The base URL of public files, without a trailing slash. Null: their addresses begin with `baseUrl` and `/media`.
   */
  readonly mediaBaseUrl: string | null;
  /** The number of processes that share the port. With 1, this process itself answers the requests. */
  readonly workers: number;
  /** Seconds between reporting "not ready" and closing the port, so that a load balancer can react. */
  readonly shutdownDelay: number;
  /**
   * `metricsPort`: a separate port for `/metrics`; null: the service's own port. `metricsToken`: the Bearer token that
   * `/metrics` requires. If both are null, there is no `/metrics`.
   */
  readonly metricsPort: number | null;
  readonly metricsToken: string | null;
  /** The base URL of an OpenTelemetry collector (OTLP over HTTP), without a trailing slash; null: no traces. */
  readonly tracesEndpoint: string | null;
  /** The retention period of the feed of changes in seconds. */
  readonly changesKeepSeconds: number;
  /**
   * Changes of an event's time or place are collected until the event has not changed for this number of seconds.
   * People then get one notice about all these changes. 0: a notice for each change.
   */
  readonly noticeQuietSeconds: number;
  /**
   * The URL of PostgreSQL itself, for migrations, locks of jobs, mail, LISTEN and backups, if `databaseUrl` is the URL
   * of a pooler. Null: all this work uses `databaseUrl`.
   */
  readonly databaseListenUrl: string | null;
  /** Streaming replicas that answer reads. */
  readonly databaseReplicaUrls: readonly string[];
  /** The maximum lag in seconds of a replica that answers reads. */
  readonly databaseReplicaMaxLag: number;

  constructor(values: Settings) {
    Object.assign(this, values);
  }
}
