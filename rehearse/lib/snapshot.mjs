// Reads the state of a database at the moment of a backup, with the snapshot of the backup's own transaction.
import { connect, createServer } from 'node:net';
import pg from 'pg';
import { atEnd } from './programs.mjs';

/** The type (`Z`) of PostgreSQL's message ReadyForQuery. */
const READY = 0x5a;
/** The body (`T`) of this message if a transaction is open. */
const IN_TRANSACTION = 0x54;
const EXPORT = query('SELECT pg_export_snapshot()');

/** The application name of a backup's connection. */
const BACKUP = 'events-backup';

/**
 * Starts a TCP relay to the database of `url`. When a backup has begun its transaction, the relay exports the snapshot
 * and calls `onSnapshot(id)`. The backup gets the response to its `BEGIN` when the promise of `onSnapshot` is
 * fulfilled; if the promise is rejected, the relay closes the connection. Returns the URL of the relay.
 */
export async function relayWithSnapshot(url, onSnapshot) {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const database = connect(Number(port || 5432), hostname);
    let [rest, isBackup, wasInTransaction, isExporting, id, heldMessage] = [
      Buffer.alloc(0),
      false,
      false,
      false,
      null,
      null,
    ];
    client.once('data', (startup) => (isBackup = startup.includes(BACKUP)));
    const handleMessage = (message) => {
      const [type, body] = [message[0], message.subarray(5)];
      if (isExporting) {
        // 'D' is a row: the number of columns, the length of the text, the text.
        if (type === 0x44) id = body.subarray(6).toString();
        if (type !== READY) return;
        isExporting = false;
        database.pause();
        onSnapshot(id)
          .then(
            () => client.write(heldMessage),
            () => client.destroy(),
          )
          .finally(() => database.resume());
        return;
      }
      const isInTransaction = type === READY ? body[0] === IN_TRANSACTION : wasInTransaction;
      if (isBackup && isInTransaction && !wasInTransaction) {
        [wasInTransaction, isExporting, heldMessage] = [true, true, Buffer.from(message)];
        database.write(EXPORT);
        return;
      }
      wasInTransaction = isInTransaction;
      client.write(message);
    };
    database.on('data', (part) => {
      rest = Buffer.concat([rest, part]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const length = rest.readUInt32BE(1) + 1;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        handleMessage(message);
      }
    });
    client.pipe(database);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ])
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  atEnd(async () => server.close());
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(server.address().port) }).href;
}

/** Returns the message with which a client sends a simple query to PostgreSQL. */
function query(text) {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/**
 * Returns {tables, referencedKeys} for the current state or an exported snapshot: the number of rows and a digest of
 * each table, and the keys of the stored files. The table `database_files` and columns with transaction ids are left
 * out, because they differ between databases and versions. Tables of extensions are left out too.
 */
export async function tablesOf(url, snapshot = null) {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC -c statement_timeout=0' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (snapshot) await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
    const { rows: tables } = await client.query(`
      SELECT c.relname AS name, string_agg(format('%I', a.attname), ', ' ORDER BY a.attname) AS columns
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND a.atttypid NOT IN ('xid8'::regtype, 'pg_snapshot'::regtype)
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'database_files'
         AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
       GROUP BY c.relname ORDER BY c.relname`);
    const found = {};
    for (const { name, columns } of tables) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS digest FROM (SELECT ${columns} FROM "${name}") t`,
      );
      found[name] = rows[0];
    }
    const { rows: referenced } = await client.query(`SELECT key FROM media_files WHERE state = 'kept' ORDER BY key`);
    return { tables: found, referencedKeys: referenced.map(({ key }) => key) };
  } finally {
    await client.end();
  }
}
