import { createHmac } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplyCommands } from '#areas/apply/apply.commands';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { Settings } from '#platform/config/settings';
import { Database, statement } from '#platform/database/database';
import { Scratch } from '#platform/media/scratch';
import { Clock } from '#platform/time/clock';
import { demoDocument, DEMO_USER } from './demo-document';
import { drawAvatar } from './demo-pictures';

const ANYBODY = statement('demo_anybody', 'SELECT 1 AS one FROM users LIMIT 1');

/** Fills an empty database with people and events to look at. A database with anybody in it stays as it is. */
export async function loadDemo(app: INestApplicationContext): Promise<void> {
  const database = app.get(Database);
  if ((await database.rows(ANYBODY)).length > 0) return;
  const document = demoDocument(app.get(Clock).now());
  await app.get(Scratch).during(async (folder) => {
    for (const { slug } of document.users as { slug: string }[]) await drawAvatar(folder, slug);
    await app.get(ApplyCommands).apply(document, folder);
  });
  await database.transaction(async (tx) => {
    const user = await app.get(UsersReader).lockBySlug(tx, DEMO_USER);
    if (user) await app.get(TokensCommands).createFrom(tx, user.id, 'demo', demoKey(app));
  });
}

/** The demo user's token, the same at every start; null when it was revoked or there is no demo. */
export async function demoToken(app: INestApplicationContext): Promise<string | null> {
  return app.get(Database).transaction((tx) => app.get(TokensCommands).secretFrom(tx, demoKey(app)));
}

/** Made from the installation's secret, so that it need not be stored to be printed again. */
function demoKey(app: INestApplicationContext): Buffer {
  return createHmac('sha512', app.get(Settings).appSecret).update('demo token').digest();
}
