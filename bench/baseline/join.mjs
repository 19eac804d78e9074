// A server that uses only Fastify and pg. bench/join.mjs compares the service with this server. To start this server:
// `node bench/baseline/join.mjs six` or `… same`, with the variables DATABASE_URL, PORT, APP_SECRET, BASE_URL and
// COUNT. Both variants first look up the token. Then `six` sends six statements: begin, lock the event, count, insert,
// update, commit; `same` sends the service's own statements. Both variants respond with the same JSON as the service,
// and use the service's own function to create the JSON.
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import Fastify from 'fastify';
import pg from 'pg';

const require = createRequire(import.meta.url);
const dist = (path) => require(`../../dist/libs/${path}.js`);
const { derivedSalt, PUBLIC_ID_KINDS, PublicIds } = dist('platform/http/public-ids');
const { WireFormat } = dist('platform/http/wire-format');
const { discoverEventResource, VIEWER_COLUMNS, VIEWER_JOINS } = dist('areas/participation/event-for-viewer.resource');
const { SELECT_EVENT_TO_JOIN, TAKE_SEAT } = dist('areas/participation/record/participation.query');
const { TOKEN_WITH_ACCOUNT } = dist('areas/identity/authentication.query');

const [variant] = process.argv.slice(2);
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  options: '-c TimeZone=UTC -c jit=off',
});
const wire = new WireFormat(
  new PublicIds(new Map(PUBLIC_ID_KINDS.map((kind) => [kind, derivedSalt(process.env.APP_SECRET, kind)]))),
  process.env.BASE_URL,
);
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newCheckInCode = () =>
  Array.from(randomBytes(16), (byte) => CODE_ALPHABET[byte % 32])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');

const LOCK = {
  name: 'lock',
  text: `SELECT ${VIEWER_COLUMNS} FROM events e ${VIEWER_JOINS} WHERE e.id = $2 FOR UPDATE OF e`,
};
const COUNT_CONFIRMED = {
  name: 'count',
  text: `SELECT count(*)::int AS taken FROM participations WHERE event_id = $1 AND status = 'confirmed'`,
};
const INSERT = {
  name: 'insert',
  text: `INSERT INTO participations (event_id, user_id, status, joined_at, check_in_code, created_at, updated_at) VALUES ($1, $2, 'confirmed', $3, $4, $3, $3)`,
};
const UPDATE = { name: 'update', text: 'UPDATE events SET confirmed_count = confirmed_count + 1 WHERE id = $1' };

async function six(caller, eventId, now) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const {
      rows: [event],
    } = await client.query({ ...LOCK, values: [caller.id, eventId] });
    // With COUNT=rows (the default in bench/join.mjs), this server counts the participants of the event. This takes
    // longer if the event has more participants. With another value, the server uses the number that is stored in the
    // event's row, which is faster.
    const taken =
      process.env.COUNT === 'rows'
        ? (await client.query({ ...COUNT_CONFIRMED, values: [eventId] })).rows[0].taken
        : event.confirmed_count;
    if (event.max_participants !== null && taken + 1 >= event.max_participants) throw new Error('full');
    const check_in_code = newCheckInCode();
    await client.query({ ...INSERT, values: [eventId, caller.id, now, check_in_code] });
    await client.query({ ...UPDATE, values: [eventId] });
    await client.query('COMMIT');
    return { ...event, participation: 'confirmed', confirmed_count: event.confirmed_count + 1, check_in_code };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function same(caller, eventId, now) {
  const {
    rows: [event],
  } = await pool.query({ ...SELECT_EVENT_TO_JOIN, values: [caller.id, eventId] });
  const check_in_code = newCheckInCode();
  const {
    rows: [seat],
  } = await pool.query({ ...TAKE_SEAT, values: [eventId, caller.id, event.revision, now, check_in_code, null] });
  return { ...event, participation: 'confirmed', confirmed_count: seat.confirmed_count, check_in_code };
}

const join = variant === 'six' ? six : same;
const app = Fastify();
app.post('/api/v1/events/:id/join', async (request, reply) => {
  const secret = (request.headers.authorization ?? '').slice('Bearer '.length);
  const {
    rows: [caller],
  } = await pool.query({ ...TOKEN_WITH_ACCOUNT, values: [createHash('sha256').update(secret).digest('hex'), null] });
  const now = new Date();
  if (!caller || caller.banned || !(caller.verified || caller.admin || caller.premium_until > now))
    return reply.code(401).send({});
  const row = await join(caller, Number(request.params.id), now);
  return {
    data: discoverEventResource(
      row,
      { id: Number(caller.id), birthDate: caller.birth_date, gender: caller.gender },
      now,
      wire,
    ),
  };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
