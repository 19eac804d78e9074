import { readdirSync } from 'node:fs';
import type { Answer } from '#testing/http-client';
import { TestServer } from '#testing/test-server';
import { databaseDigest, sendWrite, WRITES } from './situations/sending';
import { Situations } from './situations/situations';

const DRY = { prefer: 'dry-run' };
/** Fields that identify a new object or give access to it. Their values differ in each response. */
const GENERATED = new Set([
  'id',
  'slug',
  'url',
  'code',
  'check_in_code',
  'secret',
  'token',
  'thumb_url',
  'image_url',
  'avatar_url',
  'cover_url',
  'cover_thumb_url',
]);

/** Returns the body with the same text in all GENERATED fields, so that two responses can be compared. */
function comparable(answer: Answer): unknown {
  return JSON.parse(answer.text || 'null', (name, value: unknown) =>
    GENERATED.has(name) && typeof value === 'string' ? 'generated' : value,
  ) as unknown;
}

describe('a dry run', () => {
  let server: TestServer;
  let situations: Situations;

  beforeAll(async () => {
    server = await TestServer.start();
    situations = await Situations.create(server);
  });
  afterAll(() => server.stop());

  // The folder tmp itself is ignored, because it stays after the first upload. Files inside `tmp` are listed, so that a
  // file that a dry run leaves there is noticed.
  const files = () =>
    readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name !== 'tmp')
      .sort();
  const snapshot = async (limits: () => Promise<Answer>) => ({
    rows: await databaseDigest(server, []),
    files: files(),
    limits: (await limits()).body.data.filter(({ name }: { name: string }) => !name.startsWith('requests')),
  });

  // TRY-1, TRY-2, TRY-3
  it.each(WRITES)('of %s changes nothing and returns the same response as the real request', async (operation) => {
    const write = await situations.prepare(operation);
    server.clock.freezeAt(new Date(Math.floor(Date.now() / 1000) * 1000));
    const limits = () => write.who.api.get('/limits');
    const before = await snapshot(limits);
    const dry = await sendWrite(write.who, write, { ...DRY, 'idempotency-key': `try-${operation}` });
    const again = await sendWrite(write.who, write, { ...DRY, 'idempotency-key': `try-${operation}` });
    expect(await snapshot(limits)).toEqual(before);

    const real = await sendWrite(write.who, write, {});
    expect([operation, dry.status, real.status]).toEqual([operation, write.status, write.status]);
    expect([comparable(dry), comparable(again)]).toEqual([comparable(real), comparable(real)]);
    expect(real.headers.get('preference-applied')).toBeNull();
    for (const answer of [dry, again]) {
      expect(answer.headers.get('preference-applied')).toBe('dry-run');
      expect(['location', 'etag', 'idempotency-replayed'].map((name) => answer.headers.get(name))).toEqual([
        null,
        null,
        null,
      ]);
      expect(answer.headers.get('content-type')).toBe(real.headers.get('content-type'));
    }
  });
});
