import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { parse } from 'yaml';
import { recordBackup } from '#platform/backup/last-backup';
import { Settings } from '#platform/config/settings';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { LOCAL_CERTIFICATE } from '#testing/local-certificate';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const ROOT = join(__dirname, '..', '..');
const TOKEN = 'a token for the metrics';
/** Keywords of PromQL that may occur without a parenthesis after them. */
const KEYWORDS = ['unless', 'or', 'and', 'on', 'by'];
const TEN_MINUTES = 600;

async function metricsOf(server: TestServer): Promise<string> {
  const answer = await fetch(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(answer.status).toBe(200);
  return answer.text();
}

function figure(text: string, name: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

/** The names of the metrics in an expression of Prometheus. */
function metricsIn(expression: string): string[] {
  return [
    ...expression.replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) \([^)]*\)/g, ' ').matchAll(/\b[a-z_][a-z0-9_]*\b(?! *\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !KEYWORDS.includes(name));
}

// OPS-126
describe('the metrics of the installation', () => {
  let https: Server;
  /** A server whose address answers with a certificate. */
  let server: TestServer;
  /** A server at whose address nothing answers. */
  let unreachable: TestServer;
  const start = (baseUrl: string): Promise<TestServer> =>
    TestServer.start({ metricsToken: TOKEN, baseUrl, smtpUrl: 'smtp://127.0.0.1:1', webhooksAllowPrivate: true });

  beforeAll(async () => {
    https = createServer(LOCAL_CERTIFICATE, (socket) => socket.on('error', () => undefined).end());
    await once(https.listen(0, '127.0.0.1'), 'listening');
    const address = `https://localhost:${(https.address() as AddressInfo).port}`;
    server = await start(address);
    unreachable = await start('https://127.0.0.1:1');
  });
  afterAll(async () => {
    await server.stop();
    await unreachable.stop();
    https.close();
  });

  it('show waiting work (as the command `queue` does), the free disk space, the time of the last backup, the end of the certificate and the delay of the feed of changes', async () => {
    const jana = await server.person('jana', { email: 'jana@example.org' });
    const petr = await server.person('petr');
    expect((await jana.api.post('/webhooks', { url: 'http://127.0.0.1:1/' })).status).toBe(201);
    const event = await buildEvent(server, jana, { join_mode: 'request' });
    await petr.api.post(`/events/${event.id}/join`);
    await server.app.get(MailDelivery).start(50);
    await waitUntil(async () => (await server.sql(`SELECT FROM pgboss.job WHERE state = 'retry'`)).length > 0);
    const backup = new Date('2026-03-01T02:00:00Z');
    recordBackup(server.dataDir, backup);
    // This entry of the change log never gets a number: its transaction id, 3, is so low that the numbering ignores it.
    await server.sql(
      `INSERT INTO unnumbered_changes (xid, at, topic_kind, topic_id, type, subject_id, counted)
       VALUES ('3', clock_timestamp() - interval '10 minutes', 'event', $1, 'event.updated', $1, false)`,
      [event.eventId],
    );
    // OPS-56
    const none = { waiting: 0, active: 0, retrying: 0, failed: 0, oldest: expect.any(String) };
    expect(await CommandLine.forDatabaseOf(server.app.get(Settings)).answer('queue')).toEqual([
      { queue: 'notices', ...none, retrying: 1 },
      { queue: 'webhooks', ...none, waiting: 1 },
    ]);

    server.clock.forward(TEN_MINUTES * 1000);
    const text = await metricsOf(server);
    expect(figure(text, 'queue_waiting{queue="notices"}')).toBe(1);
    expect(figure(text, 'queue_waiting{queue="webhooks"}')).toBe(1);
    for (const name of [
      'queue_oldest_seconds{queue="notices"}',
      'queue_oldest_seconds{queue="webhooks"}',
      'changes_delay_seconds',
    ]) {
      const seconds = figure(text, name) ?? 0;
      expect([name, seconds >= TEN_MINUTES, seconds < TEN_MINUTES + 120]).toEqual([name, true, true]);
    }
    expect(figure(text, 'data_dir_free_bytes')).toBeGreaterThan(2 ** 20);
    expect(figure(text, 'backup_last_timestamp_seconds')).toBe(backup.getTime() / 1000);
    expect(figure(text, 'certificate_end_timestamp_seconds')).toBe(new Date(LOCAL_CERTIFICATE.end).getTime() / 1000);
  }, 60_000);

  it('omit figures that do not exist or cannot be read, such as the end of the certificate if no server answers at the address', async () => {
    await unreachable.sql('ALTER TABLE unnumbered_changes RENAME TO unnumbered_away');
    const text = await metricsOf(unreachable);
    await unreachable.sql('ALTER TABLE unnumbered_away RENAME TO unnumbered_changes');
    for (const name of [
      'queue_oldest_seconds',
      'backup_last_timestamp_seconds',
      'certificate_end_timestamp_seconds',
      'changes_delay_seconds',
    ])
      expect([name, text.includes(`# TYPE ${name} gauge`), figure(text, name)]).toEqual([name, true, null]);
    expect(figure(text, 'data_dir_free_bytes')).toBeGreaterThan(0);
    expect(figure(text, 'service_maintenance')).toBe(0);
  });

  it('exist for every alert and panel, and are described in monitoring.md', async () => {
    const read = (name: string) => readFileSync(join(ROOT, 'docs/operating', name), 'utf8');
    const { groups } = parse(read('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
    const names = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => metricsIn(expr)));
    expect(new Set(names).size).toBeGreaterThan(12);
    const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
    names.push(...panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    const text = await metricsOf(unreachable);
    const exposed = (name: string) => text.includes(`# TYPE ${name.replace(/_(?:count|sum|bucket)$/, '')} `);
    // `up` is a metric of Prometheus itself.
    expect(names.filter((name) => name !== 'up' && !exposed(name))).toEqual([]);
    const page = read('monitoring.md');
    const described = (name: string) => page.includes(`\`${name.replace(/_(?:count|sum|bucket)$/, '')}\``);
    expect(names.filter((name) => name !== 'up' && !described(name))).toEqual([]);
  });
});
