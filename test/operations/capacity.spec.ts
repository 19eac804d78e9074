import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const MODEL = join(ROOT, 'bench', 'capacity', 'model.mjs');
const SCRIPT = join(ROOT, 'scripts', 'capacity.mjs');
const DAY_MS = 86_400_000;

interface Outcome {
  readonly needs: Record<string, number>[];
  readonly peopleAtLimits: { used: string; people: number }[];
}

/**
 * Ten of every hundred people are active on a day. Each of these ten opens an app once, reads two lists, and joins one
 * event.
 */
const BEHAVIOUR = {
  active_a_day: 0.1,
  visits: 1,
  by_app: 1,
  visitors: 0,
  sign_ins: 0,
  joins: 1,
  leaves: 0,
  comments: 0,
  events: 0,
  event_changes: 0,
  posts: 0,
  pictures: 0,
  notices: 0,
  mails_of_notices: 0,
  pushes_of_notices: 0,
  webhook_messages: 0,
  streams: 0.5,
  live_days: 30,
  peak: 4,
  visit_of_an_app: { api_discover: 2 },
  visit_of_pages: {},
  pages_of_visitors: {},
  on_replicas: { api_discover: 0.75 },
  rows: {
    users: { per: 'person', rows: 2, group: 'accounts' },
    participations: { per: 'joins', days: null, rows: 1, group: 'joins' },
    changes: { per: 'feed', days: 30, rows: 1, group: 'feed' },
  },
};
const PRIMARY = {
  cores: 10,
  memory: 64,
  disk: 1,
  busy: 0.5,
  background: 1.2,
  bloat: 2,
  page_images: 0.1,
  growth_of_reads: 1,
  years: 2,
  cached_indexes: 1,
  cached_rows: 0,
  connections: 100,
  pool: 10,
  replay: 50,
  transactions: 100,
  table: 1,
  redis_cores: 1,
};
const FREE = { node_ms: 0, database_ms: 0, wal_bytes: 0 };
const COSTS = {
  people_of_the_bench: 100_000,
  operations: {
    ...Object.fromEntries(
      [
        'sign_in',
        'leave',
        'comment',
        'event_create',
        'event_patch',
        'post_create',
        'notice',
        'mail',
        'push_message',
        'webhook_message',
      ].map((name) => [name, FREE]),
    ),
    picture: { ...FREE, stored_bytes: 1_000 },
    api_discover: { node_ms: 4, database_ms: 2, wal_bytes: 0 },
    join: { node_ms: 2, database_ms: 3, wal_bytes: 1_000 },
    join_after_checkpoint: { node_ms: 2, database_ms: 3, wal_bytes: 11_000 },
    feed_entry_batch_100: { database_ms: 0.1, wal_bytes: 500 },
    node_process: { resident_mib: 200 },
    redis_request: { redis_ms: 0.01, commands: 2 },
  },
  tables: {
    users: { bytes_a_row: 500, index_bytes_a_row: 100 },
    participations: { bytes_a_row: 300, index_bytes_a_row: 200 },
    changes: { bytes_a_row: 200, index_bytes_a_row: 100 },
  },
};

/**
 * The results for a million people: each day, 100,000 of them are active. Together they read 200,000 lists and join
 * 100,000 events.
 */
const EXPECTED: readonly (readonly [name: string, value: number])[] = [
  ['requests', (300_000 * 4) / 86_400],
  ['nodeCores', ((200_000 * 4 + 100_000 * 2) * 4) / DAY_MS / 0.5],
  // The primary processes all requests to join an event and a quarter of the reads of lists. It also numbers the
  // entries that these requests add to the feed.
  ['primaryCores', ((200_000 * 0.5 + 100_000 * 3 + 100_000 * 0.1) * 4 * 1.2) / DAY_MS / 0.5],
  ['allReadsOnPrimary', ((200_000 * 2 + 100_000 * 3 + 100_000 * 0.1) * 4 * 1.2) / DAY_MS / 0.5],
  ['replicaCores', (200_000 * 1.5 * 4) / DAY_MS / 0.5],
  ['sequencerCores', (100_000 * 0.1 * 4) / DAY_MS / 0.5],
  ['feed', (100_000 * 4) / 86_400],
  // For each request to join an event, the write-ahead log contains 1,000 bytes of the request, 500 bytes of its entry
  // in the feed, and a tenth of the 10,000 bytes of full-page images after a checkpoint.
  ['log', (100_000 * (1_000 + 500 + 1_000)) / 1e9],
  ['disk', (1e6 * 2 * 500 * 2 + 100_000 * 730 * 300 * 2 + 100_000 * 30 * 200 * 2) / 1e12],
  ['grows', (100_000 * 365 * 300 * 2) / 1e12],
  ['memory', (1e6 * 2 * 100 * 2 + 100_000 * 730 * 200 * 2 + 100_000 * 30 * 100 * 2) / 2 ** 30],
  ['redis', (300_000 * 2 * 4) / 86_400],
  ['streams', 50_000],
];

/** Tests the model behind `npm run capacity`. */
describe('the capacity model', () => {
  let results: Outcome;
  beforeAll(() => {
    const script = `import(${JSON.stringify(MODEL)}).then(({ needs, peopleAtLimits }) => {
      const figures = JSON.parse(process.argv[1]);
      console.log(JSON.stringify({ needs: [1e6, 1e7].map((people) => needs(people, figures)), peopleAtLimits: peopleAtLimits(figures) }));
    })`;
    const input = JSON.stringify({ costs: COSTS, behaviour: BEHAVIOUR, primary: PRIMARY });
    results = JSON.parse(execFileSync(process.execPath, ['-e', script, input], { encoding: 'utf8' })) as Outcome;
  });

  it.each(EXPECTED)('calculates %s', (name, value) => {
    expect(results.needs[0]?.[name]).toBeCloseTo(value, 9);
    expect(results.needs[1]?.[name]).toBeCloseTo(value * 10, 8);
  });

  it('lists for each resource the number of people at which it is exhausted, the lowest number first', () => {
    const peopleAtLimitOf = (used: string) => results.peopleAtLimits.find((one) => one.used === used)?.people ?? NaN;
    const valueOf = (name: string) => EXPECTED.find(([one]) => one === name)?.[1] ?? NaN;
    expect(peopleAtLimitOf('primaryCores') / ((1e6 * PRIMARY.cores) / valueOf('primaryCores'))).toBeCloseTo(1, 3);
    expect(peopleAtLimitOf('disk') / ((1e6 * PRIMARY.disk) / valueOf('disk'))).toBeCloseTo(1, 3);
    expect(peopleAtLimitOf('sequencerCores') / (1e6 / valueOf('sequencerCores'))).toBeCloseTo(1, 3);
    const counts = results.peopleAtLimits.map(({ people }) => people);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it('refuses a value of --cores that is not a number above 0', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--cores', 'many'], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('--cores must be a number above 0');
  });
});
