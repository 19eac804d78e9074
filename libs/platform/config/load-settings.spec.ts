import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transpile } from '#testing/transpiled';
import { loadSettings, readSettings } from './load-settings';
import { DATABASE_TIMEOUTS } from './settings';
import { StartupError } from './startup-error';
import { readOrMakeSecret } from './secret';

function mistakes(environment: Record<string, string>): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

describe('the settings', () => {
  // OPS-4
  it('have the defaults of docs/operating/settings.md', () => {
    expect({ ...readSettings({}) }).toEqual({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://127.0.0.1:3000',
      databaseUrl: null,
      databaseTimeoutSeconds: 30,
      bodyTimeoutSeconds: 15,
      databaseTimeouts: DATABASE_TIMEOUTS,
      databasePool: 10,
      dataDir: resolve('.data'),
      demoData: true,
      appSecret: '',
      redisUrl: null,
      storage: { kind: 'local' },
      s3: { endpoint: null, region: 'us-east-1' },
      rateLimitTokenPerMinute: 60,
      rateLimitIpPerMinute: 300,
      trustProxy: false,
      jobs: true,
      ffmpegPath: null,
      logLevel: 'info',
      smtpUrl: null,
      securityContact: null,
      mapTilesUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      mediaBaseUrl: null,
      workers: 1,
      shutdownDelay: 0,
      metricsPort: null,
      metricsToken: null,
      tracesEndpoint: null,
      webhooksAllowPrivate: false,
      nameservers: null,
      changesKeepSeconds: 2_592_000,
      noticeQuietSeconds: 300,
      push: true,
      requestLog: true,
      databaseListenUrl: null,
      databaseReplicaUrls: [],
      databaseReplicaMaxLag: 10,
    });
  });

  // OPS-64
  it('accept replica URLs that are separated by spaces or commas, and refuse invalid lists', () => {
    const DATABASE_URL = 'postgres://10.0.0.5/events';
    const [one, other] = ['postgres://events:p%40ss@10.0.0.6/events', 'postgresql://10.0.0.7:5433/events'];
    expect(
      readSettings({ DATABASE_URL, DATABASE_REPLICA_URLS: ` ${one}  ${other} `, DATABASE_REPLICA_MAX_LAG: '60' }),
    ).toMatchObject({ databaseReplicaUrls: [one, other], databaseReplicaMaxLag: 60 });
    expect(readSettings({ DATABASE_URL, DATABASE_REPLICA_URLS: `${one},${other}` }).databaseReplicaUrls).toEqual([
      one,
      other,
    ]);
    const notUrls =
      'DATABASE_REPLICA_URLS must be URLs that start with postgres:// or postgresql://, one for each replica, separated by spaces or commas.';
    for (const invalid of ['10.0.0.6', 'mysql://10.0.0.6', `${one} nothing`, 'postgres://'])
      expect(mistakes({ DATABASE_URL, DATABASE_REPLICA_URLS: invalid })).toEqual([notUrls]);
    expect(mistakes({ DATABASE_URL, DATABASE_REPLICA_URLS: `${one} ${one}` })).toEqual([
      'DATABASE_REPLICA_URLS must contain every replica only once.',
    ]);
    expect(mistakes({ DATABASE_REPLICA_URLS: one })).toEqual([
      'DATABASE_REPLICA_URLS works with DATABASE_URL only: the embedded database has no replicas.',
    ]);
    expect(mistakes({ DATABASE_URL, DATABASE_REPLICA_MAX_LAG: '0' })).toEqual([
      'DATABASE_REPLICA_MAX_LAG must be a whole number from 1 to 3600, not "0".',
    ]);
  });

  // OPS-4
  it('treat an empty value as absent', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: ' ', BASE_URL: '', JOBS: '' })).toEqual(readSettings({}));
  });

  // OPS-52
  it.each([
    [
      'production on all interfaces, without BASE_URL',
      { NODE_ENV: 'production', HOST: '0.0.0.0' },
      /^BASE_URL is required when NODE_ENV=production and HOST is not a loopback address/,
    ],
    [
      'production on a non-loopback address, without BASE_URL',
      { NODE_ENV: 'production', HOST: '192.0.2.7' },
      /^BASE_URL is required/,
    ],
    [
      'a link-local address with a zone, without BASE_URL',
      { HOST: 'fe80::1%eth0' },
      /^BASE_URL is required when HOST has a zone: a URL cannot contain fe80::1%eth0\.$/,
    ],
    [
      'a BASE_URL that means all interfaces',
      { BASE_URL: 'http://0.0.0.0:3000' },
      /^BASE_URL must be an address people can open/,
    ],
    [
      'a BASE_URL that means all IPv6 interfaces',
      { BASE_URL: 'http://[::]:3000' },
      /^BASE_URL must be an address people can open/,
    ],
    [
      'a negative NOTICE_QUIET_SECONDS',
      { NOTICE_QUIET_SECONDS: '-1' },
      /^NOTICE_QUIET_SECONDS must be a whole number from 0 to 86400/,
    ],
    ['NOTICE_QUIET_SECONDS of more than a day', { NOTICE_QUIET_SECONDS: '86401' }, /^NOTICE_QUIET_SECONDS must be/],
    [
      'several workers without Redis, because each worker would count requests separately',
      { WORKERS: '2' },
      /^WORKERS above 1 needs REDIS_URL/,
    ],
    [
      'DATABASE_LISTEN_URL without DATABASE_URL',
      { DATABASE_LISTEN_URL: 'postgres://localhost/events' },
      /^DATABASE_LISTEN_URL works with DATABASE_URL only/,
    ],
    [
      'a METRICS_TOKEN of fewer than 16 characters',
      { METRICS_TOKEN: 'short' },
      /^METRICS_TOKEN must have 16 characters or more/,
    ],
    [
      'a METRICS_TOKEN that no header can contain',
      { METRICS_TOKEN: 'ě'.repeat(16) },
      /^METRICS_TOKEN must contain only ASCII characters/,
    ],
  ])('are refused with one error line: %s', (_, environment, line) => {
    expect(mistakes({ APP_SECRET: 'x'.repeat(32), ...environment })).toEqual([expect.stringMatching(line)]);
  });
  // OPS-52
  it.each<Record<string, string>>([
    { NODE_ENV: 'production', HOST: '0.0.0.0', BASE_URL: 'https://events.example.org' },
    { NODE_ENV: 'production', HOST: '127.0.0.1' },
    { NODE_ENV: 'production', HOST: '::1' },
    { HOST: 'fe80::1%eth0', BASE_URL: 'http://events.local:3000' },
    { NODE_ENV: 'production' },
    { HOST: '0.0.0.0' },
    { WORKERS: '2', REDIS_URL: 'redis://r' },
    { WORKERS: '1' },
  ])('accept %j', (environment) => expect(mistakes({ APP_SECRET: 'x'.repeat(32), ...environment })).toEqual([]));

  it('are read from environment variables', () => {
    const settings = readSettings({
      PORT: '8080',
      HOST: '::1',
      DATABASE_URL: 'postgres://u:p@db/events',
      DATA_DIR: '/srv/data',
      APP_SECRET: 'x',
      REDIS_URL: 'redis://r',
      STORAGE: 's3',
      S3_BUCKET: 'b',
      S3_ENDPOINT: 'https://s3.example.org',
      RATE_LIMIT_IP_PER_MINUTE: '5',
      TRUST_PROXY: '10.0.0.0/8, loopback',
      JOBS: 'off',
    });
    expect(settings).toMatchObject({
      baseUrl: 'http://[::1]:8080',
      dataDir: '/srv/data',
      demoData: false,
      jobs: false,
      trustProxy: ['10.0.0.0/8', 'loopback'],
      rateLimitIpPerMinute: 5,
      storage: { kind: 's3', bucket: 'b', endpoint: 'https://s3.example.org', region: 'us-east-1' },
    });
    expect(readSettings({ BASE_URL: 'https://events.example.org/' }).baseUrl).toBe('https://events.example.org');
    expect(readSettings({ TRUST_PROXY: '1' }).trustProxy).toBe(1);
  });

  // OPS-4
  it('convert addresses to the form that browsers use, because headers can contain only ASCII characters', () => {
    const { baseUrl, mediaBaseUrl } = readSettings({
      BASE_URL: 'HTTPS://Schůzky.example.cz:443/akce/',
      MEDIA_BASE_URL: 'https://obrázky.example.cz',
    });
    expect([baseUrl, mediaBaseUrl]).toEqual([
      'https://xn--schzky-5mb.example.cz/akce',
      'https://xn--obrzky-rta.example.cz',
    ]);
  });

  // OPS-4
  it('may have addresses with capital letters in the scheme, which becomes lower case', () => {
    expect(
      readSettings({ SMTP_URL: 'SMTPS://U:P@mail.example.org', S3_ENDPOINT: 'HTTPS://s3.example.org' }),
    ).toMatchObject({ smtpUrl: 'smtps://U:P@mail.example.org', s3: { endpoint: 'https://s3.example.org' } });
  });

  // OPS-4
  it('cause one error line per mistake, and no line contains a password', () => {
    const lines = mistakes({
      PORT: '80a',
      JOBS: 'yes',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://u:secret@db',
      STORAGE: 's3',
      NODE_ENV: 'production',
      BASE_URL: 'https://example.org/?a=1',
      TRUST_PROXY: 'true',
      RATE_LIMIT_TOKEN_PER_MINUTE: '0',
    });
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
      'APP_SECRET',
      'BASE_URL',
      'DATABASE_URL',
      'JOBS',
      'LOG_LEVEL',
      'PORT',
      'RATE_LIMIT_TOKEN_PER_MINUTE',
      'S3_BUCKET',
      'TRUST_PROXY',
    ]);
    expect(lines.join()).not.toContain('secret@');
    expect(mistakes({ BASE_URL: 'http://u:secret@0.0.0.0' }).join()).not.toContain('secret');
    expect(mistakes({ NODE_ENV: 'production', APP_SECRET: 'short' })).toEqual([
      'APP_SECRET must have 32 characters or more when NODE_ENV=production.',
    ]);
    expect(mistakes({ DATABASE_URL: 'postgres://db/e', DEMO_DATA: 'on' })).toHaveLength(1);
    for (const [name, value] of [
      ['BASE_URL', 'nowhere'],
      ['BASE_URL', 'https:example.org'],
      ['BASE_URL', 'https://x/?'],
      ['BASE_URL', 'https://x#'],
      ['HOST', '999.1.1.1'],
      ['HOST', 'a b'],
      ['FFMPEG_PATH', '/no/such/program'],
      ['FFMPEG_PATH', tmpdir()],
      ['FFMPEG_PATH', resolve('package.json')],
      ['METRICS_PORT', '3000'],
      ['S3_ENDPOINT', 'x'],
      ['SMTP_URL', 'x'],
      ['SMTP_URL', 'smtp:mail.example.org'],
      ['SMTP_URL', 'smtp://'],
      ['SMTP_URL', 'smtp:///path'],
      ['REDIS_URL', 'x'],
      ['SECURITY_CONTACT', 'nobody'],
      ['MAP_TILES_URL', 'https://x/{z}'],
      ['MEDIA_BASE_URL', 'x'],
      ['MEDIA_BASE_URL', 'https://x/?a=b'],
      ['MEDIA_BASE_URL', 'https://x/?'],
      ['SECURITY_CONTACT', 'nobody\nelse'],
      ['HOST', 'a\r\nb'],
      ['PORT', '3000\n3001'],
      ['MAP_TILES_URL', 'https://a;b/{z}/{x}/{y}'],
    ] as const) {
      expect(mistakes({ STORAGE: 's3', S3_BUCKET: 'b', [name]: value })).toEqual([
        expect.stringMatching(`^${name} must be `),
      ]);
    }
    for (const proxies of ['10.0.0.0/33', '10.0.0.0/0', '1.2.3', '::1/129', '10.0.0.1,', 'everybody'])
      expect(mistakes({ TRUST_PROXY: proxies })).toHaveLength(1);
    expect(mistakes({ TRUST_PROXY: '10.0.0.0/8, fd00::/8, ::1, loopback', HOST: 'localhost' })).toEqual([]);
    expect(mistakes({ DATABASE_POOL: '1' })).toEqual([
      expect.stringMatching(/^DATABASE_POOL must be at least 2 unless JOBS=off/),
    ]);
    expect(mistakes({ DATABASE_POOL: '1', JOBS: 'off' })).toEqual([]);
  });

  // OPS-4
  it('cause only one error line for an invalid URL: no second line reports that the URL is missing', () => {
    const production = { NODE_ENV: 'production', APP_SECRET: 's'.repeat(32), HOST: '0.0.0.0' };
    expect(mistakes({ ...production, BASE_URL: 'events.example.org' })).toEqual([
      'BASE_URL must be a URL that starts with http:// or https://.',
    ]);
    const DATABASE_REPLICA_URLS = 'postgres://10.0.0.6/events';
    expect(mistakes({ DATABASE_URL: 'mysql://10.0.0.5/events', DATABASE_REPLICA_URLS })).toEqual([
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.',
    ]);
    expect(mistakes({ DATABASE_URL: 'postgres://10.0.0.5:99999/events' })).toEqual([
      'DATABASE_URL must be a valid URL: check its host and its port.',
    ]);
    expect(mistakes({ SMTP_URL: 'smtp://events:p%zz@10.0.0.5' })).toEqual([
      'SMTP_URL must be a URL with % only before two hexadecimal digits: in a password, write %25 for %.',
    ]);
  });
});

// OPS-5
describe('the generated secret', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'settings-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is created once, in a file that only its owner can read', () => {
    const { appSecret } = loadSettings({ DATA_DIR: dataDir });
    expect(appSecret).toMatch(/^[\w-]{43}$/);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(loadSettings({ DATA_DIR: dataDir }).appSecret).toBe(appSecret);
    expect(loadSettings({ DATA_DIR: dataDir, APP_SECRET: 'mine' }).appSecret).toBe('mine');
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });

  it('is the same for several processes that start simultaneously for the first time', async () => {
    const sources = transpile(
      'libs/platform/config/secret.ts',
      'libs/platform/config/data-folder.ts',
      'libs/platform/config/startup-error.ts',
    );
    const script = `process.stdout.write(require('./libs/platform/config/secret').readOrMakeSecret(process.argv[1]))`;
    const start = () =>
      promisify(execFile)(process.execPath, ['-e', script, join(dataDir, 'new')], { cwd: sources.folder });
    const secrets = (await Promise.all([start(), start(), start(), start()])).map(({ stdout }) => stdout);
    sources.remove();
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toHaveLength(43);
  });

  // OPS-9
  it.each(['/proc/none', '/dev/null/none'])(
    'causes an error at the start if the folder %s cannot be created',
    (folder) => {
      expect(() => loadSettings({ DATA_DIR: folder })).toThrow(StartupError);
    },
  );

  it('causes an error if its file is damaged', () => {
    writeFileSync(join(dataDir, 'secret'), '');
    expect(() => readOrMakeSecret(dataDir)).toThrow('damaged');
  });
});
