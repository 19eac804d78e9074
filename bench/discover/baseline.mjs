// The simplest server that returns the same JSON as the service for GET /api/v1/discover/events. It uses Fastify, pg,
// the service's SQL, a hand-written mapping of rows, and a response schema. It has no NestJS, validation, limits or
// log. It listens on PORT and prints "ready".
import { createHash, createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import Fastify from 'fastify';
import Hashids from 'hashids';
import pg from 'pg';

const ROOT = resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const { COMMON_FROM, compareDefaultOrder, discoverPage } = require(
  resolve(ROOT, 'dist/libs/areas/discover/discover.query.js'),
);
const { encodeCursor } = require(resolve(ROOT, 'dist/libs/areas/discover/discover.cursor.js'));
const { filterOf } = require(resolve(ROOT, 'dist/libs/areas/discover/discover.filter.js'));
const { TOKEN_WITH_ACCOUNT } = require(resolve(ROOT, 'dist/libs/areas/identity/authentication.query.js'));

const { PORT, DATABASE_URL, BASE_URL, APP_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: process.env.SESSION_OPTIONS });

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const codecs = new Map(
  ['event', 'event_image', 'series', 'group'].map((kind) => [
    kind,
    new Hashids(createHmac('sha256', APP_SECRET).update(`public-id:${kind}`).digest('hex'), 8, ALPHABET),
  ]),
);
const cachedIds = new Map();
function hashid(kind, id) {
  const key = kind + id;
  let known = cachedIds.get(key);
  if (known === undefined) {
    if (cachedIds.size > 100_000) cachedIds.clear();
    cachedIds.set(key, (known = codecs.get(kind).encode(Number(id))));
  }
  return known;
}

const wire = (date) => (date === null ? null : `${date.toISOString().slice(0, 19)}Z`);
const media = (key) => `${BASE_URL}/media/${key}`;
const thumb = (key) => media(key.replace('.', '-thumb.'));

function ageAt(birth, day) {
  const age = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(4) < birth.slice(4) ? age - 1 : age;
}

const PRAGUE_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Prague' });
function canJoin(row, viewer, now) {
  if (row.participation !== null && row.participation !== 'pending') return false;
  if (Number(row.organizer_id) === Number(viewer.id) || row.blocked || row.ticket_price_credits > 0) return false;
  if (row.status === 'cancelled' || row.over_at <= now) return false;
  if (row.max_participants !== null && row.confirmed_count + 1 >= row.max_participants) return false;
  if (row.gender_restriction !== null && row.gender_restriction !== viewer.gender) return false;
  if (row.join_mode === 'request' && row.participation === null && row.requests_full) return false;
  if (row.age_min === null && row.age_max === null) return true;
  if (viewer.birth_date === null) return false;
  const age = ageAt(viewer.birth_date, PRAGUE_DAY.format(row.starts_at));
  return age >= (row.age_min ?? 0) && age <= (row.age_max ?? Infinity);
}

const RAD = Math.PI / 180;
function kilometres(near, row) {
  const [a, b] = [Math.sin(((row.latitude - near.lat) * RAD) / 2), Math.sin(((row.longitude - near.lng) * RAD) / 2)];
  const half = Math.sqrt(a * a + Math.cos(near.lat * RAD) * Math.cos(row.latitude * RAD) * b * b);
  return Math.round(2 * 6371.0088 * Math.asin(Math.min(1, half)) * 100) / 100;
}

function eventResource(row, viewer, now, near) {
  const id = hashid('event', row.id);
  const event = {
    id,
    title: row.title,
    description: row.description,
    type: row.type,
    status: row.status,
    starts_at: wire(row.starts_at),
    ends_at: wire(row.ends_at),
    location_name: row.location_name,
    location_address: row.location_address,
    latitude: row.latitude,
    longitude: row.longitude,
    join_mode: row.join_mode,
    max_participants: row.max_participants,
    current_participants: row.confirmed_count + 1,
    seeking_company: row.seeking_company,
    age_min: row.age_min,
    age_max: row.age_max,
    gender_restriction: row.gender_restriction,
    price_czk: row.price_czk === null ? null : Number(row.price_czk),
    price_note: row.price_note,
    ticket_url: row.ticket_url,
    ticket_price_credits: row.ticket_price_credits,
    photos_enabled: row.photos_enabled,
    // All events of seed.sql have this mode.
    waitlist_mode: 'manual',
    images: row.images.map((one) => ({
      id: hashid('event_image', one.id),
      url: media(one.key),
      thumb_url: thumb(one.key),
      width: one.width,
      height: one.height,
      is_primary: one.is_primary,
    })),
    group: row.group_id === null ? null : hashid('group', row.group_id),
    series: row.series_id === null ? null : hashid('series', row.series_id),
    is_recurring: row.series_id !== null,
    parent_event:
      row.first_occurrence_id === null || row.first_occurrence_id === row.id
        ? null
        : hashid('event', row.first_occurrence_id),
    boosted_until: wire(row.boosted_until),
    is_boosted: row.boosted_until !== null && row.boosted_until > now,
    url: `${BASE_URL}/events/${id}`,
    created_at: wire(row.created_at),
    updated_at: wire(row.updated_at),
    organizer: {
      name: row.organizer_name,
      nickname: row.organizer_nickname,
      slug: row.organizer_slug,
      avatar_url: row.organizer_avatar_key === null ? null : thumb(row.organizer_avatar_key),
    },
    source: row.source_name === null ? null : { name: row.source_name, url: row.source_url },
    viewer: {
      is_organizer: Number(row.organizer_id) === Number(viewer.id),
      participation: row.participation,
      can_join: canJoin(row, viewer, now),
      offer: null,
      waitlist_position: row.waitlist_position,
    },
  };
  if (row.participation === 'confirmed' && row.check_in_code !== null) event.viewer.check_in_code = row.check_in_code;
  if (near) event.distance_km = kilometres(near, row);
  return event;
}

const S = { type: 'string' };
const SN = { type: ['string', 'null'] };
const N = { type: 'number' };
const NN = { type: ['number', 'null'] };
const B = { type: 'boolean' };
const object = (properties) => ({ type: 'object', properties });
const EVENT = object({
  id: S,
  title: S,
  description: SN,
  type: S,
  status: S,
  starts_at: S,
  ends_at: SN,
  location_name: SN,
  location_address: SN,
  latitude: NN,
  longitude: NN,
  join_mode: S,
  max_participants: NN,
  current_participants: N,
  seeking_company: B,
  age_min: NN,
  age_max: NN,
  gender_restriction: SN,
  price_czk: NN,
  price_note: SN,
  ticket_url: SN,
  ticket_price_credits: N,
  photos_enabled: B,
  waitlist_mode: S,
  images: { type: 'array', items: object({ id: S, url: S, thumb_url: S, width: N, height: N, is_primary: B }) },
  group: SN,
  series: SN,
  is_recurring: B,
  parent_event: SN,
  boosted_until: SN,
  is_boosted: B,
  url: S,
  created_at: S,
  updated_at: S,
  organizer: object({ name: S, nickname: SN, slug: S, avatar_url: SN }),
  source: { ...object({ name: S, url: SN }), nullable: true },
  viewer: object({
    is_organizer: B,
    participation: SN,
    can_join: B,
    offer: SN,
    waitlist_position: NN,
    check_in_code: S,
  }),
  distance_km: N,
});
const PAGE = object({
  data: { type: 'array', items: EVENT },
  links: object({ first: S, last: S, prev: SN, next: SN }),
  meta: object({ current_page: N, from: NN, last_page: N, path: S, per_page: N, to: NN, total: N, next_cursor: SN }),
});

/**
 * The cache of totals, like DiscoverTotals in the service. For each URL, it has one entry for all viewers, and one
 * entry for each viewer.
 */
const knownTotals = new Map();

function planFor({ text }, totals) {
  if (!text || totals?.listed === 0) return 'scan';
  if (totals === null) return 'count';
  return totals.listed < COMMON_FROM ? 'sort' : 'scan';
}

function cursorAfter({ id, boosted, starts_at }, boostsEndedAt) {
  return encodeCursor({
    sort: 'default',
    boosted,
    key: starts_at.getTime(),
    id: Number(id),
    boostTime: boostsEndedAt?.getTime() ?? 0,
    from: null,
  });
}

const app = Fastify();
app.get('/api/v1/discover/events', { schema: { response: { 200: PAGE } } }, async (request, reply) => {
  const hash = createHash('sha256').update(request.headers.authorization.slice(7)).digest('hex');
  const {
    rows: [viewer],
  } = await pool.query({ name: TOKEN_WITH_ACCOUNT.name, text: TOKEN_WITH_ACCOUNT.text, values: [hash, null] });
  const now = new Date();
  if (!viewer || (viewer.expires_at && viewer.expires_at <= now)) return reply.code(401).send();
  if (viewer.banned || !(viewer.verified || viewer.admin || viewer.premium_until > now)) return reply.code(403).send();

  const { page = '1', per_page = '20', q, type, date_from, date_to, lat, lng, radius_km } = request.query;
  const filter = filterOf({
    q,
    type,
    date_from,
    date_to,
    ...(lat && { lat: Number(lat), lng: Number(lng) }),
    ...(radius_km && { radius_km: Number(radius_km) }),
  });
  const [current, perPage] = [Number(page), Number(per_page)];
  const viewerKey = `${viewer.id} ${request.url}`;
  const commonTotals = knownTotals.get(request.url) ?? null;
  const cachedTotals = knownTotals.get(viewerKey) ?? (commonTotals && { ...commonTotals, hidden: null });
  const offset = (current - 1) * perPage;
  const readPage = async (totals) => {
    const viewerId = Number(viewer.id);
    const plan = planFor(filter, totals);
    const { sql, values } = discoverPage({
      viewerId,
      now,
      limit: perPage,
      offset,
      filter,
      known: totals,
      isCompact: false,
      plan,
    });
    return (await pool.query({ name: sql.name, text: sql.text, values })).rows;
  };
  let rows = await readPage(cachedTotals);
  // `hidden` is the number of events that are hidden from this viewer. It is null if the cached number is out of date.
  // The second query then counts these events.
  if (rows[0].hidden === null) rows = await readPage(cachedTotals && { ...cachedTotals, hidden: null });
  const { listed, hidden, snapshot } = rows[0];
  const counted = { listed: Number(listed), hidden: Number(hidden), snapshot, at: now };
  knownTotals.set(request.url, counted).set(viewerKey, counted);
  const total = Number(listed) - Number(hidden);

  const events = rows[0].id === null ? [] : rows.sort(compareDefaultOrder);
  const data = events.map((row) => eventResource(row, viewer, now, filter.near));
  const lastEvent = offset + data.length < total ? events.at(-1) : undefined;
  const last = Math.max(1, Math.ceil(total / perPage));
  const [pathname, search = ''] = request.url.split('?');
  const otherParameters = search
    .split('&')
    .filter((part) => part && !part.startsWith('page='))
    .map((part) => `${part}&`)
    .join('');
  const link = (n) => `${BASE_URL}${pathname}?${otherParameters}page=${n}`;
  const from = data.length ? offset + 1 : null;
  return {
    data,
    links: {
      first: link(1),
      last: link(last),
      prev: current > 1 ? link(Math.min(current - 1, last)) : null,
      next: current < last ? link(current + 1) : null,
    },
    meta: {
      current_page: current,
      from,
      last_page: last,
      path: BASE_URL + pathname,
      per_page: perPage,
      to: from === null ? null : from + data.length - 1,
      total,
      next_cursor: lastEvent ? cursorAfter(lastEvent, rows[0].boosts_ended_at) : null,
    },
  };
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log('ready');
process.on('SIGTERM', () => void app.close().then(() => pool.end()));
