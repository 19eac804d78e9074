// The calculation of `npm run capacity`. It computes the required resources from the costs of operations, the behaviour
// of people and the size of a primary database server. All functions are pure; the figures are in costs.json,
// behaviour.json and primary.json.

const DAY_S = 86_400;
const YEAR_DAYS = 365;
const GIB = 2 ** 30;
const TB = 1e12;

/** Maps each action that `dayOf` counts to the operation in costs.json that contains the cost of the action. */
const ACTIONS = {
  sign_ins: 'sign_in',
  joins: 'join',
  leaves: 'leave',
  comments: 'comment',
  events: 'event_create',
  event_changes: 'event_patch',
  posts: 'post_create',
  pictures: 'picture',
  notices: 'notice',
  mails: 'mail',
  pushes: 'push_message',
  webhook_messages: 'webhook_message',
};
/** Actions that are not requests. No person waits for them. */
const BACKGROUND_ACTIONS = new Set(['notices', 'mails', 'pushes', 'webhook_messages']);
/** Actions that add an entry to the feed of changes. */
const FEED_ACTIONS = ['joins', 'leaves', 'comments', 'events', 'event_changes', 'posts', 'pictures', 'notices'];

/** Returns the values of figures without their units and reasons. */
export function valuesOf(figures) {
  return Object.fromEntries(
    Object.entries(figures)
      .filter(([, figure]) => typeof figure === 'object')
      .map(([name, { value }]) => [name, value]),
  );
}

/**
 * How many times each action and each operation happens on one day, for all people together. `reads` contains only the
 * operations of visits, which change nothing. Also returns totals: of active people, of requests, of requests to the
 * API (`api`), of entries in the feed (`feed`) and of writes.
 */
export function dayOf(people, behaviour) {
  const active = people * behaviour.active_a_day;
  const visits = active * behaviour.visits;
  const notices = active * behaviour.notices;
  const actions = {
    ...Object.fromEntries(
      [
        'sign_ins',
        'joins',
        'leaves',
        'comments',
        'events',
        'event_changes',
        'posts',
        'pictures',
        'webhook_messages',
      ].map((name) => [name, active * behaviour[name]]),
    ),
    notices,
    mails: notices * behaviour.mails_of_notices,
    pushes: notices * behaviour.pushes_of_notices,
  };
  const operations = {};
  const add = (mix, times) => {
    for (const [name, count] of Object.entries(mix)) operations[name] = (operations[name] ?? 0) + count * times;
  };
  add(behaviour.visit_of_an_app, visits * behaviour.by_app);
  add(behaviour.visit_of_pages, visits * (1 - behaviour.by_app));
  add(behaviour.pages_of_visitors, visits * behaviour.visitors);
  const reads = { ...operations };
  for (const [action, operation] of Object.entries(ACTIONS)) add({ [operation]: actions[action] }, 1);
  const inBackground = [...BACKGROUND_ACTIONS].reduce((sum, name) => sum + actions[name], 0);
  const total = sum(operations);
  // People sign in on a page. All other actions that people perform in apps are requests to the API.
  const actionsOfPeople = sum(actions) - inBackground - actions.sign_ins;
  const api = behaviour.by_app * (visits * sum(behaviour.visit_of_an_app) + actionsOfPeople);
  const feed = FEED_ACTIONS.reduce((sum, name) => sum + actions[name], 0);
  return { active, actions, operations, reads, requests: total - inBackground, api, feed, writes: total - sum(reads) };
}

/**
 * The resources that `people` people need after `primary.years` years. For the peak load: the numbers of cores, and
 * `requests`, `feed` (entries) and `redis` (commands) a second. For a day: `mails`, `pushes` and `webhooks` (messages).
 * `log` is the write-ahead log in GB a day, and `logPeak` in MB a second. `transactions` is in millions a day. `disk`
 * is in TB, `grows` and `files` in TB a year, `memory` and `nodeMemory` in GiB.
 */
export function needs(people, { costs, behaviour, primary }) {
  const day = dayOf(people, behaviour);
  const atPeak = behaviour.peak / DAY_S;
  const growth = primary.growth_of_reads ** Math.max(0, Math.log10(people / costs.people_of_the_bench));
  let [node, onPrimary, onReplicas, log] = [0, 0, 0, 0];
  for (const [name, count] of Object.entries(day.operations)) {
    const { node_ms, database_ms, wal_bytes } = costs.operations[name];
    const database = database_ms * (name in day.reads ? growth : 1);
    const share = behaviour.on_replicas[name] ?? 0;
    node += count * node_ms;
    onPrimary += count * database * (1 - share);
    onReplicas += count * database * share;
    log += count * wal_bytes;
  }
  const entry = costs.operations.feed_entry_batch_100;
  const sequencer = day.feed * entry.database_ms;
  onPrimary += sequencer;
  log += day.feed * entry.wal_bytes;
  const pageImageBytes = costs.operations.join_after_checkpoint.wal_bytes - costs.operations.join.wal_bytes;
  log += day.writes * pageImageBytes * primary.page_images;

  const cores = (ms) => (ms / 1000) * atPeak;
  const { groups, largest, rows, indexes, total, grows } = storage(people, day, { costs, behaviour, primary });
  const nodeCores = cores(node) / primary.busy;
  return {
    people,
    requests: day.requests * atPeak,
    nodeCores,
    nodeMemory: (nodeCores * costs.operations.node_process.resident_mib * 2 ** 20) / GIB,
    primaryCores: (cores(onPrimary) * primary.background) / primary.busy,
    allReadsOnPrimary: (cores(onPrimary + onReplicas) * primary.background) / primary.busy,
    replicaCores: cores(onReplicas) / primary.busy,
    groups,
    largest,
    disk: total,
    grows,
    log: log / 1e9,
    logPeak: (log * atPeak) / 1e6,
    memory: (indexes * primary.cached_indexes + rows * primary.cached_rows) / GIB,
    connections: Math.ceil(nodeCores) * primary.pool,
    feed: day.feed * atPeak,
    sequencerCores: cores(sequencer) / primary.busy,
    transactions: (day.writes + day.feed / 100) / 1e6,
    redis: day.api * costs.operations.redis_request.commands * atPeak,
    redisCores: cores(day.api * costs.operations.redis_request.redis_ms) / primary.busy,
    mails: day.actions.mails,
    pushes: day.actions.pushes,
    webhooks: day.actions.webhook_messages,
    streams: day.active * behaviour.streams,
    files: (day.actions.pictures * YEAR_DAYS * costs.operations.picture.stored_bytes) / TB,
  };
}

function storage(people, day, { costs, behaviour, primary }) {
  const sizes = [];
  for (const [table, { per, days, rows, group }] of Object.entries(behaviour.rows)) {
    const { bytes_a_row, index_bytes_a_row } = costs.tables[table];
    const isPermanent = per !== 'person' && days === null;
    const storedDays = days === 'live' ? behaviour.live_days : (days ?? primary.years * YEAR_DAYS);
    const actions = per === 'person' ? people : (day.actions[per] ?? day[per]) * storedDays;
    const count = actions * rows;
    const bytes = count * bytes_a_row * primary.bloat;
    sizes.push({
      table,
      group,
      isPartitioned: days !== undefined && days !== null && days !== 'live' && table !== 'notifications',
      bytes,
      rowBytes: count * (bytes_a_row - index_bytes_a_row) * primary.bloat,
      indexBytes: count * index_bytes_a_row * primary.bloat,
      grows: isPermanent ? bytes / primary.years : 0,
    });
  }
  const groups = {};
  for (const { group, bytes, grows } of sizes) {
    groups[group] ??= { bytes: 0, grows: 0 };
    groups[group].bytes += bytes / TB;
    groups[group].grows += grows / TB;
  }
  const unpartitioned = sizes.filter(({ isPartitioned }) => !isPartitioned);
  const largest = unpartitioned.reduce((maximum, one) => (one.bytes > maximum.bytes ? one : maximum));
  return {
    groups,
    largest: { table: largest.table, bytes: largest.bytes / TB },
    rows: sum(sizes.map(({ rowBytes }) => rowBytes)),
    indexes: sum(sizes.map(({ indexBytes }) => indexBytes)),
    total: sum(sizes.map(({ bytes }) => bytes)) / TB,
    grows: sum(sizes.map(({ grows }) => grows)) / TB,
  };
}

/**
 * The resources of an installation with one primary. `used` is a field of the result of `needs`. `limit` is a figure in
 * primary.json, or `one` for the limit 1. `then` is the operator's next step when the limit is reached.
 */
export const RESOURCES = [
  { name: 'connections without PgBouncer', used: 'connections', limit: 'connections', then: 'PgBouncer' },
  { name: "the primary's cores, without replicas", used: 'allReadsOnPrimary', limit: 'cores', then: 'read replicas' },
  {
    name: "the primary's cores, with replicas",
    used: 'primaryCores',
    limit: 'cores',
    then: 'distribute events and accounts',
  },
  { name: 'the sequencer of the feed', used: 'sequencerCores', limit: 'one', then: 'a feed for each server or region' },
  { name: 'memory for indexes in use', used: 'memory', limit: 'memory', then: 'more memory, partitions by time' },
  { name: 'disk', used: 'disk', limit: 'disk', then: 'larger disks, partitions by time' },
  { name: 'the largest table without partitions', used: 'largest', limit: 'table', then: 'partitions by time' },
  { name: 'replay of the log on a standby', used: 'logPeak', limit: 'replay', then: 'distribute events and accounts' },
  { name: 'transaction numbers', used: 'transactions', limit: 'transactions', then: 'distribute events and accounts' },
  { name: 'one Redis', used: 'redisCores', limit: 'redis_cores', then: 'a Redis cluster' },
];

/** Returns the resources with the number of people at which the limit of each is reached, the lowest number first. */
export function peopleAtLimits(figures, resources = RESOURCES) {
  return resources
    .map((resource) => ({ ...resource, people: peopleAtLimit(resource, figures) }))
    .sort((a, b) => a.people - b.people || a.name.localeCompare(b.name, 'en'));
}

/** The share of the resource that `people` people use. */
export function shareOf({ used, limit }, people, figures) {
  const need = needs(people, figures)[used];
  return (typeof need === 'object' ? need.bytes : need) / (limit === 'one' ? 1 : figures.primary[limit]);
}

function peopleAtLimit(resource, figures) {
  let [low, high] = [1, 1e12];
  for (let step = 0; step < 200 && high / low > 1.0001; step++) {
    const middle = Math.sqrt(low * high);
    if (shareOf(resource, middle, figures) < 1) low = middle;
    else high = middle;
  }
  return low;
}

function sum(numbers) {
  return Object.values(numbers).reduce((total, number) => total + number, 0);
}
