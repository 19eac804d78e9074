import type { ClientBase } from 'pg';
import { OperatorError } from '../config/operator-error';
import { SealingKeys } from '../config/sealer';
import { ServerClient } from '../database/server-client';
import { addSalts, fingerprintOf, queryable, readInstallation } from './installation';
import { replaceSealedText, sealedColumns, sealedTexts } from './sealed-texts';

export interface Rotation {
  /** The number of texts that were sealed with the new secret. */
  readonly resealed: number;
  /** The number of texts that neither the current nor the former secret opens. They are not changed. */
  readonly unreadable: number;
}

const WRONG_SECRET =
  'The current secret is not the secret of this database: set APP_SECRET to the secret of this database first.';

/**
 * Opens each sealed text and seals it with another secret. Texts that cannot be opened do not change. This happens in
 * one transaction, so at each moment the database accepts exactly one of the two secrets. Public ids do not change,
 * because the salts derived from the old secret are stored. Does nothing if the rotation was already committed.
 *
 * @throws OperatorError if `secret` is not the secret of the installation
 */
export async function rotateSecret(url: string, secret: string, next: string): Promise<Rotation> {
  // This connection has no statement timeout, unlike the connections of requests.
  const client = new ServerClient({
    connectionString: url,
    application_name: 'events-rotate',
    options: '-c TimeZone=UTC',
  });
  await client.connect();
  try {
    await client.query('BEGIN');
    const rotation = await rotateIn(client, secret, next);
    await client.query('COMMIT');
    return rotation;
  } finally {
    // Without a COMMIT, PostgreSQL rolls back.
    await client.end();
  }
}

async function rotateIn(client: ClientBase, secret: string, next: string): Promise<Rotation> {
  const on = queryable(client);
  // The content does not change, so rows must not get new versions (give_version in
  // platform/database/sql/functions.sql).
  await client.query(`SET LOCAL events.resealing = 'on'`);
  await client.query('LOCK TABLE installation IN EXCLUSIVE MODE');
  const installation = await readInstallation(on);
  if (installation?.fingerprint === fingerprintOf(next)) return { resealed: 0, unreadable: 0 };
  if (installation && installation.fingerprint !== fingerprintOf(secret)) throw new OperatorError(WRONG_SECRET);
  const currentKeys = new SealingKeys(secret);
  const openingKeys = new SealingKeys(
    secret,
    installation?.formerSealed ? currentKeys.open(installation.formerSealed) : null,
  );
  const nextKeys = new SealingKeys(next);
  let [resealed, unreadable] = [0, 0];
  for (const column of await sealedColumns(on)) {
    // The lock excludes other writers, so only this transaction changes the ctid of a row.
    await client.query(`LOCK TABLE ${column.table} IN SHARE ROW EXCLUSIVE MODE`);
    // The new ctid of each changed row, by its old ctid. Needed if a JSON object contains several sealed texts.
    const changedRows = new Map<string, string>();
    for (const text of await sealedTexts(on, column, null)) {
      const plaintext = openingKeys.open(text.sealed);
      if (plaintext === null) unreadable++;
      else {
        const row = changedRows.get(text.row) ?? text.row;
        changedRows.set(text.row, await replaceSealedText(on, column, { ...text, row }, nextKeys.seal(plaintext)));
        resealed++;
      }
    }
  }
  // If the database contains no fingerprint yet, the secret is accepted if it opens at least one sealed text, or if
  // there are no sealed texts.
  if (!installation && unreadable > 0 && resealed === 0) throw new OperatorError(WRONG_SECRET);
  await addSalts(on, secret);
  await client.query(
    `INSERT INTO installation (secret_fingerprint, former_secret_sealed) VALUES ($1, $2)
     ON CONFLICT (only_one) DO UPDATE SET secret_fingerprint = excluded.secret_fingerprint, former_secret_sealed = excluded.former_secret_sealed`,
    [fingerprintOf(next), nextKeys.seal(secret)],
  );
  return { resealed, unreadable };
}
