import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { LIMITS } from '#contract/limits';
import { databaseUrl as readDatabaseUrl } from './database-address';
import { EnvironmentReader, type Environment } from './environment';
import { baseUrl, mediaBaseUrl, readHost, trustProxy } from './public-addresses';
import { redisUrl } from './redis-address';
import { replicaUrls } from './replica-addresses';
import { DATABASE_TIMEOUTS, LOG_LEVELS, Settings, type S3Settings, type StorageSettings } from './settings';
import { StartupError } from './startup-error';
import { readOrMakeSecret } from './secret';
import { parseUrl } from '../text/url';

const DATABASE_TIMEOUT_SECONDS = 30;
const BODY_TIMEOUT_SECONDS = 15;

/**
 * Reads and validates the environment. An empty value counts as absent. Without APP_SECRET, the secret in `DATA_DIR` is
 * used, and created if there is none.
 * @throws StartupError with one line per error
 */
export function loadSettings(environment: Environment = process.env): Settings {
  const settings = readSettings(environment);
  return settings.appSecret === '' ? { ...settings, appSecret: readOrMakeSecret(settings.dataDir) } : settings;
}

/** Like `loadSettings`, but does not use the secret in `DATA_DIR`: without APP_SECRET, `appSecret` is empty. */
export function readSettings(environment: Environment): Settings {
  const read = new EnvironmentReader(environment);
  const production = read.text('NODE_ENV') === 'production';
  const port = read.integer('PORT', 3000, 0, 65_535);
  const host = readHost(read);
  const databaseUrl = readDatabaseUrl(read, 'DATABASE_URL');
  const appSecret = read.text('APP_SECRET') ?? '';
  if (production && appSecret === '')
    read.addError('APP_SECRET is required when NODE_ENV=production: a random text of 32 characters or more.');
  if (production && appSecret !== '' && appSecret.length < 32)
    read.addError('APP_SECRET must have 32 characters or more when NODE_ENV=production.');

  const s3 = s3Settings(read);
  const settings = new Settings({
    production,
    port,
    host,
    baseUrl: baseUrl(read, production, host) ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    databaseUrl,
    databaseTimeoutSeconds: DATABASE_TIMEOUT_SECONDS,
    bodyTimeoutSeconds: BODY_TIMEOUT_SECONDS,
    databaseTimeouts: DATABASE_TIMEOUTS,
    databasePool: read.integer('DATABASE_POOL', 10, 1, 200),
    dataDir: resolve(read.text('DATA_DIR') ?? '.data'),
    demoData: read.toggle('DEMO_DATA', databaseUrl === null),
    appSecret,
    redisUrl: redisUrl(read),
    storage: storage(read, s3),
    s3,
    rateLimitTokenPerMinute: read.integer('RATE_LIMIT_TOKEN_PER_MINUTE', LIMITS.requests.per_token, 1, 1_000_000_000),
    rateLimitIpPerMinute: read.integer('RATE_LIMIT_IP_PER_MINUTE', LIMITS.requests.per_ip, 1, 1_000_000_000),
    trustProxy: trustProxy(read),
    jobs: read.toggle('JOBS', true),
    ffmpegPath: ffmpegPath(read),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    nameservers: null,
    webhooksAllowPrivate: read.toggle('WEBHOOKS_ALLOW_PRIVATE', false),
    requestLog: read.toggle('REQUEST_LOG', true),
    push: read.toggle('PUSH', true),
    smtpUrl: smtpUrl(read),
    securityContact: securityContact(read),
    mapTilesUrl: mapTilesUrl(read),
    mediaBaseUrl: mediaBaseUrl(read),
    workers: workers(read),
    shutdownDelay: read.integer('SHUTDOWN_DELAY', 0, 0, 300),
    metricsPort: read.integer('METRICS_PORT', 0, 0, 65_535) || null,
    metricsToken: metricsToken(read),
    tracesEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    changesKeepSeconds: read.integer('CHANGES_KEEP_SECONDS', LIMITS.changes.kept, 1, 1_000_000_000),
    noticeQuietSeconds: read.integer('NOTICE_QUIET_SECONDS', 300, 0, 86_400),
    databaseListenUrl: readDatabaseUrl(read, 'DATABASE_LISTEN_URL'),
    databaseReplicaUrls: replicaUrls(read),
    databaseReplicaMaxLag: read.integer('DATABASE_REPLICA_MAX_LAG', 10, 1, 3_600),
  });
  // The text of PORT is compared, and not `port`. If PORT is invalid, its error is already reported, and `port` is the
  // default value.
  if (settings.metricsPort !== null && (read.text('PORT') ?? String(port)) === String(settings.metricsPort))
    read.addError(`METRICS_PORT must be different from PORT (${port}).`);
  if (settings.jobs && settings.databasePool < 2)
    read.addError(
      'DATABASE_POOL must be at least 2 unless JOBS=off: a job holds one connection for its lock, and its work needs another one.',
    );
  if (settings.demoData && databaseUrl !== null)
    read.addError('DEMO_DATA=on works with the embedded database only: leave out DATABASE_URL or DEMO_DATA.');
  const hasNoDatabaseUrl = read.text('DATABASE_URL') === null;
  if (settings.databaseListenUrl !== null && hasNoDatabaseUrl)
    read.addError('DATABASE_LISTEN_URL works with DATABASE_URL only: the embedded database has no pooler.');
  if (settings.databaseReplicaUrls.length > 0 && hasNoDatabaseUrl)
    read.addError('DATABASE_REPLICA_URLS works with DATABASE_URL only: the embedded database has no replicas.');
  if (read.errors.length > 0) throw new StartupError(read.errors.join('\n'));
  return settings;
}

function smtpUrl(read: EnvironmentReader): string | null {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  // `new URL` requires a host only for the schemes that browsers know, so `smtp://` is a valid URL.
  if (url !== null && parseUrl(url)?.hostname === '')
    read.addError('SMTP_URL must be a URL with the host of the mail server.');
  return url;
}

/** Reads SECURITY_CONTACT: a URL, or an e-mail address without `mailto:`. */
function securityContact(read: EnvironmentReader): string | null {
  const text = read.text('SECURITY_CONTACT');
  if (text === null) return null;
  const contact = /^[^\s@:/]+@[^\s@:/]+$/.test(text) ? `mailto:${text}` : text;
  if (!/\s/.test(contact) && ['mailto:', 'https:', 'tel:'].includes(parseUrl(contact)?.protocol ?? '')) return contact;
  read.addError(
    `SECURITY_CONTACT must be an e-mail address, or a URL that starts with mailto:, https:// or tel:, not "${text}".`,
  );
  return null;
}

const MAX_WORKERS = 64;

/**
 * Reads WORKERS. `auto`: one process per processor core that is available to this process, but at most MAX_WORKERS.
 * More than one process needs REDIS_URL: for the rate limits, the processes count their requests together in Redis
 * (OPS-61).
 */
function workers(read: EnvironmentReader): number {
  const count =
    read.text('WORKERS') === 'auto'
      ? Math.min(availableParallelism(), MAX_WORKERS)
      : read.integer('WORKERS', 1, 1, MAX_WORKERS, 'or auto');
  if (count > 1 && read.text('REDIS_URL') === null)
    read.addError('WORKERS above 1 needs REDIS_URL: the processes count requests together, for the rate limits.');
  return count;
}

const OPENSTREETMAP = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

/** Reads MAP_TILES_URL. The error message omits the URL, because a URL may contain the key of a tile server. */
function mapTilesUrl(read: EnvironmentReader): string | null {
  const text = read.text('MAP_TILES_URL') ?? OPENSTREETMAP;
  if (text === 'off') return null;
  // The host becomes a part of a directive in the pages' Content-Security-Policy. A character such as `;` in the host
  // would end this directive.
  const isTemplate =
    ['{z}', '{x}', '{y}'].every((placeholder) => text.includes(placeholder)) &&
    /^https?:\/\/(\{s\}\.)?[\w.-]+(:\d+)?\/[^\s"'<>]*$/.test(text);
  if (!isTemplate)
    read.addError(
      'MAP_TILES_URL must be off, or a URL with {z}, {x} and {y}, like https://tiles.example.org/{z}/{x}/{y}.png.',
    );
  return isTemplate ? text : null;
}

/** The minimum length of METRICS_TOKEN. A shorter token could be guessed. */
const MIN_METRICS_TOKEN_LENGTH = 16;

function metricsToken(read: EnvironmentReader): string | null {
  const token = read.text('METRICS_TOKEN');
  if (token === null) return null;
  if (token.length < MIN_METRICS_TOKEN_LENGTH)
    read.addError(`METRICS_TOKEN must have ${MIN_METRICS_TOKEN_LENGTH} characters or more.`);
  // A token with other characters would never match: clients send such characters as UTF-8, and Node reads the bytes of
  // a header as Latin-1.
  else if (!/^[\x20-\x7e]+$/.test(token))
    read.addError('METRICS_TOKEN must contain only ASCII characters, because it is sent in a header.');
  return token;
}

/** Reads FFMPEG_PATH: the path of a program. A name without a folder is searched in PATH. */
function ffmpegPath(read: EnvironmentReader): string | null {
  const path = read.text('FFMPEG_PATH');
  if (path?.includes('/') && !isProgram(path))
    read.addError(`FFMPEG_PATH must be the path of a program; there is no program at ${path}.`);
  return path;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function storage(read: EnvironmentReader, s3: S3Settings): StorageSettings {
  if (read.choice('STORAGE', ['local', 's3'], 'local') === 'local') return { kind: 'local' };
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) read.addError('S3_BUCKET is required when STORAGE=s3.');
  return { kind: 's3', bucket: bucket ?? '', ...s3 };
}

function s3Settings(read: EnvironmentReader): S3Settings {
  return { endpoint: read.url('S3_ENDPOINT', ['http:', 'https:']), region: read.text('S3_REGION') ?? 'us-east-1' };
}
