import { randomBytes } from 'node:crypto';
import { withDatabase } from '../config/database-address';
import { StartupError } from '../config/startup-error';
import { ServerClient } from './server-client';

/**
 * Runs `work` with a temporary, empty database on the server of `url`, and then drops this database. Before `work`,
 * drops the databases that killed processes have left under the same `name`, because they may contain a copy of all
 * data.
 *
 * @param name the beginning of the database's name; random digits are added
 *
 * @param errorBeginning the beginning of the error message, such as `The plan is made on`
 *
 * @throws StartupError if the database cannot be created, for example because the role may not create databases
 */
export async function onTrialDatabase<T>(
  url: string,
  { name, errorBeginning }: { readonly name: string; readonly errorBeginning: string },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const trial = `${name}_${randomBytes(6).toString('hex')}`;
  const client = new ServerClient({ connectionString: url, application_name: applicationNameOf(trial) });
  await client.connect();
  try {
    await dropAbandoned(client, name);
    await client.query(`CREATE DATABASE ${trial} TEMPLATE template0 ENCODING 'UTF8'`).catch((error: unknown) => {
      throw new StartupError(
        `${errorBeginning} a temporary database, which cannot be created: ${(error as Error).message}.`,
      );
    });
    return await work(withDatabase(url, trial));
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${trial} WITH (FORCE)`).catch(() => undefined);
    await client.end();
  }
}

/**
 * The application_name of the session that owns a temporary database. It shows other processes that the database is
 * still in use.
 */
function applicationNameOf(trial: string): string {
  return `trial ${trial}`;
}

const ABANDONED = `
  SELECT d.datname AS name FROM pg_database d
   WHERE d.datname ~ $1 AND pg_get_userbyid(d.datdba) = current_user
     AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.application_name = $2 || d.datname)`;

async function dropAbandoned(client: ServerClient, name: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(ABANDONED, [`^${name}_[0-9a-f]{12}$`, applicationNameOf('')]);
  for (const abandoned of rows)
    await client.query(`DROP DATABASE IF EXISTS ${abandoned.name} WITH (FORCE)`).catch(() => undefined);
}
