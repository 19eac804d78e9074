// A PostgreSQL server with two streaming replicas on this machine. The replicas are configured as
// docs/operating/scaling.md describes.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from './installation.mjs';
import { blockOf } from './pages.mjs';
import { postgresServers } from './postgres-server.mjs';

/** Returns {url, replicas: [{url, kill(), start(), sql(text)}]}. */
export async function startWithStandbys() {
  const { newServer, urlOf, start, initialize, baseBackup } = postgresServers('standbys');
  const primary = await newServer('primary');
  await initialize(primary);
  await start(primary);
  await sql(urlOf(primary, 'postgres'), 'CREATE DATABASE events');
  const replicas = [];
  for (const name of ['first', 'second']) {
    const one = await newServer(name);
    await baseBackup(primary, one.data, '-R', '-c', 'fast');
    appendFileSync(join(one.data, 'postgresql.conf'), blockOf('scaling.md', 'hot_standby = on'));
    await start(one);
    replicas.push({
      url: urlOf(one),
      sql: (text) => sql(urlOf(one), text),
      start: () => start(one),
      kill: () => one.program.stop('SIGKILL'),
    });
  }
  return { url: urlOf(primary), replicas };
}
