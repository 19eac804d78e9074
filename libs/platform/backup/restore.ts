import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { Mistake } from '../config/mistake';
import { migrateAs } from '../database/migrations';
import { ServerClient } from '../database/server-client';
import { contentTypeOf } from '../storage/media-key';
import type { Storage } from '../storage/storage';
import { readArchive, type Entry, type Manifest } from './archive';
import { FILES, SECRET, type BackupContents } from './backup';
import { DatabaseLoad } from './database-copy';

/** An empty installation. */
export interface RestoreTarget {
  readonly databaseUrl: string;
  readonly storage: Storage;
  /** Takes the backup's secret before anything is in force. Throws a Mistake where another one is set. */
  readonly adoptSecret: (secret: string) => void;
}

const NOT_EMPTY = 'The installation is not empty: there are accounts in its database. A backup is restored into an empty database alone.';
const IN_USE = 'A server is at work on this database: stop it, then restore.';

/**
 * Puts a backup into an empty installation: files and secret first, the database last and in one transaction, which takes effect when
 * the archive was found to be whole. Interrupted at any moment, the same command does it again.
 * @throws Mistake in one line: not empty, in use, not whole, of another version
 */
export async function restore(source: Readable, { databaseUrl, storage, adoptSecret }: RestoreTarget, progress: (line: string) => void): Promise<BackupContents> {
  const client = new ServerClient({ connectionString: databaseUrl, application_name: 'events-restore', options: '-c TimeZone=UTC' });
  const draft = await mkdtemp(join(tmpdir(), 'events-restore-'));
  await client.connect();
  const load = new DatabaseLoad(client);
  let [tables, files] = [0, 0];
  try {
    await refuseUnlessEmpty(client);
    await readArchive(source, {
      manifest: async (manifest) => {
        await migrateLike(databaseUrl, manifest);
        await client.query('BEGIN');
        await client.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
      },
      entry: async (entry) => {
        if (entry.name === SECRET) adoptSecret((await text(entry.content)).trim());
        else if (entry.name.startsWith(FILES)) {
          await putFile(storage, entry, draft);
          if (++files % 100 === 0) progress(`${files} files`);
        } else if (!(await load.takes(entry))) throw new Mistake(`The backup has something this version does not know: ${entry.name}.`);
        else {
          tables++;
          progress(entry.name);
        }
      },
    });
    await load.finish();
    await client.query('COMMIT');
    return { rows: load.rows, tables: tables - 1, files };
  } finally {
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

/** The tables of the backup's version; what came later is applied by the next start. */
async function migrateLike(databaseUrl: string, { migrations }: Manifest): Promise<void> {
  await migrateAs(databaseUrl, migrations);
}

async function refuseUnlessEmpty(client: Client): Promise<void> {
  const others = await client.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'events%'`);
  if (others.rows.length > 0) throw new Mistake(IN_USE);
  const { rows } = await client.query<{ known: boolean }>(`SELECT to_regclass('public.users') IS NOT NULL AS known`);
  if (rows[0]?.known && (await client.query('SELECT 1 FROM users LIMIT 1')).rows.length > 0) throw new Mistake(NOT_EMPTY);
}

/** As every file of ours: it is there whole or not at all. */
async function putFile(storage: Storage, { name, content }: Entry, draft: string): Promise<void> {
  const file = name.slice(FILES.length);
  const contentType = contentTypeOf(file);
  if (contentType === null) throw new Mistake(`The backup has a file that is none of this service: ${file}.`);
  const path = join(draft, 'file');
  await pipeline(content, createWriteStream(path, { mode: 0o600 }));
  if ((await storage.size(file)) === null) await storage.write(file, path, contentType);
  await rm(path);
}
