import { randomBytes } from 'node:crypto';
import { StartupError } from '../config/startup-error';
import { ServerClient } from './server-client';

/**
 * Runs `work` with a temporary, empty database on the server of `url`, and then drops the database.
 *
 * @param name of the database; random digits are added
 *
 * @param purpose the beginning of the error message: `The plan is made on`
 *
 * @throws StartupError if the role may not create databases
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
      throw new StartupError(
        `${purpose} a database beside this one, which cannot be made: ${(error as Error).message}.`,
      );
    });
    const beside = new URL(url);
    beside.pathname = `/${trial}`;
    return await work(beside.href);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${trial} WITH (FORCE)`).catch(() => undefined);
    await client.end();
  }
}
