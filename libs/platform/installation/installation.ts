import { createHmac } from 'node:crypto';
import type { ClientBase } from 'pg';
import { SealingKeys } from '../config/sealer';
import { StartupError } from '../config/startup-error';
import { connectOnce } from '../database/data-source';
import { statement, type Database, type Queryable } from '../database/database';
import { derivedSalt, PUBLIC_ID_KINDS, type PublicIdKind } from '../http/public-ids';
import { sealedColumns, sealedTexts } from './sealed-texts';

/** Maximum milliseconds for connecting to the database, and also for the query that checks a secret. */
const CHECK_TIMEOUT_MS = 2_000;

/** Data about the installation, as stored in the database. */
export interface Installation {
  readonly salts: ReadonlyMap<PublicIdKind, string>;
  /**
   * The secret before the last rotation; null if there was no rotation, or if this former secret cannot be decrypted.
   */
  readonly formerSecret: string | null;
}

const INSTALLATION = statement(
  'installation_show',
  'SELECT secret_fingerprint, former_secret_sealed FROM installation',
);
const ADD_INSTALLATION = statement(
  'installation_add',
  'INSERT INTO installation (secret_fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
);
const PUBLIC_ID_SALTS = statement('installation_salts', 'SELECT kind, salt FROM public_id_salts');
const ADD_PUBLIC_ID_SALTS = statement(
  'installation_add_salts',
  `INSERT INTO public_id_salts (kind, salt) SELECT kind, salt FROM unnest($1::text[], $2::text[]) AS missing (kind, salt) ON CONFLICT DO NOTHING`,
);

/**
 * Maximum number of sealed (encrypted) texts per column that are checked if the database contains no fingerprint. A
 * secret is accepted if it opens at least one of these texts.
 */
const MAX_CHECKED_TEXTS = 20;

const OTHER_SECRET =
  'APP_SECRET is not the secret of this database, so the server could not decrypt the sealed texts: ' +
  'set the former secret (if APP_SECRET was never set, it is in DATA_DIR/secret). To change the secret, or to finish an interrupted change: npm run cli -- secret rotate.';

/** A fingerprint that identifies a secret without revealing it: the HMAC of a constant, as 64 hex digits. */
export function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint of the installation').digest('hex');
}

/**
 * Reads the row of the installation. The first start stores the fingerprint of the secret and the salts of the ids in
 * one transaction. Later starts compare the fingerprint. A new kind of id gets its salt at the next start. Each salt is
 * derived from the secret that is set when the salt is stored. Older versions of the service derived the salts in the
 * same way, but at each start and without storing them. So the ids of older installations do not change.
 *
 * @throws StartupError with a message of one line if the database belongs to another secret
 */
export async function openInstallation(database: Database, secret: string): Promise<Installation> {
  const known = await readInstallation(database);
  if (known && known.fingerprint !== fingerprintOf(secret)) throw new StartupError(OTHER_SECRET);
  const salts = known ? await readSalts(database) : new Map<PublicIdKind, string>();
  const hasAllSalts = PUBLIC_ID_KINDS.every((kind) => salts.has(kind));
  return {
    salts: hasAllSalts ? salts : await createInstallation(database, secret),
    formerSecret: known?.formerSealed ? new SealingKeys(secret).open(known.formerSealed) : null,
  };
}

/**
 * Whether the secret is still the secret of the database: `secret rotate` may replace the secret while servers run.
 * Uses a separate connection: the caller may be in a transaction, and must not wait for a second connection of the pool
 * (OPS-78).
 *
 * @param url the URL of PostgreSQL itself, not of a pooler
 */
export async function isInstallationSecret(url: string, secret: string): Promise<boolean> {
  const client = await connectOnce(url, CHECK_TIMEOUT_MS);
  try {
    return (await readInstallation(queryable(client)))?.fingerprint === fingerprintOf(secret);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks the secret for commands that read the database without `openInstallation`. Accepts every secret if the
 * database has no fingerprint yet.
 *
 * @throws StartupError with a message of one line if the database belongs to another secret
 */
export async function refuseOtherSecret(client: ClientBase, secret: string): Promise<void> {
  const known = await readInstallation(queryable(client));
  if (known && known.fingerprint !== fingerprintOf(secret)) throw new StartupError(OTHER_SECRET);
}

async function createInstallation(database: Database, secret: string): Promise<ReadonlyMap<PublicIdKind, string>> {
  return database.transaction(async (tx) => {
    if (!(await readInstallation(tx)) && !(await canOpenSealedTexts(tx, new SealingKeys(secret))))
      throw new StartupError(OTHER_SECRET);
    await tx.rows(ADD_INSTALLATION, [fingerprintOf(secret)]);
    // Another server that started at the same time may have stored the fingerprint of another secret.
    if ((await readInstallation(tx))?.fingerprint !== fingerprintOf(secret)) throw new StartupError(OTHER_SECRET);
    await addSalts(tx, secret);
    return readSalts(tx);
  });
}

/**
 * For a database that contains no fingerprint yet: whether the secret opens at least one sealed text, or there are no
 * sealed texts.
 */
async function canOpenSealedTexts(database: Queryable, keys: SealingKeys): Promise<boolean> {
  const texts: string[] = [];
  for (const column of await sealedColumns(database))
    texts.push(...(await sealedTexts(database, column, MAX_CHECKED_TEXTS)).map(({ sealed }) => sealed));
  return texts.length === 0 || texts.some((sealed) => keys.open(sealed) !== null);
}

/** The fingerprint and the sealed former secret; null if the database has no fingerprint yet. */
export async function readInstallation(
  database: Queryable,
): Promise<{ fingerprint: string; formerSealed: string | null } | null> {
  const [row] = await database.rows<{ secret_fingerprint: string; former_secret_sealed: string | null }>(INSTALLATION);
  return row ? { fingerprint: row.secret_fingerprint, formerSealed: row.former_secret_sealed } : null;
}

/** Stores the salts that are derived from the secret, for all kinds of ids that have no salt yet. */
export async function addSalts(database: Queryable, secret: string): Promise<void> {
  await database.rows(ADD_PUBLIC_ID_SALTS, [PUBLIC_ID_KINDS, PUBLIC_ID_KINDS.map((kind) => derivedSalt(secret, kind))]);
}

async function readSalts(database: Queryable): Promise<Map<PublicIdKind, string>> {
  const rows = await database.rows<{ kind: PublicIdKind; salt: string }>(PUBLIC_ID_SALTS);
  return new Map(rows.map(({ kind, salt }) => [kind, salt]));
}

/** Runs statements on a separate client. */
export function queryable(client: ClientBase): Queryable {
  return {
    rows: async <Row extends object>({ name, text }: { name: string; text: string }, values: readonly unknown[] = []) =>
      (await client.query<Row>({ name, text, values: [...values] })).rows,
  };
}
