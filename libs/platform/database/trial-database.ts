import { randomBytes } from 'node:crypto';
import { withDatabase } from '../config/database-address';
import { StartupError } from '../config/startup-error';
import { ServerClient } from './server-client';

/**
 * Runs `work` with a temporary, empty database on the server of `url`, and then drops the database.
 *
 * @param name the beginning of the database's name; random digits are added
 *
 * @param purpose the beginning of the error message, such as `The plan is made on`
 *
 * @throws StartupError if the role is not allowed to create databases
 */
export async function onTrialDatabase<T>(
  url: string,
  { name, purpose }: { readonly name: string; readonly purpose: string },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const trial = `${name}_${randomBytes(6).toString('hex')}`;
  const client = new ServerClient({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${trial} TEMPLATE template0 ENCODING 'UTF8'`).catch((error: unknown) => {
      throw new StartupError(`${purpose} a temporary database, which cannot be created: ${(error as Error).message}.`);
    });
    return await work(withDatabase(url, trial));
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${trial} WITH (FORCE)`).catch(() => undefined);
    await client.end();
  }
}
