// Compares the processor time of the same read requests with two kinds of token: a person's own token, and the token of
// an app that the person has connected. The runs alternate between the two kinds.
//   npm run bench -- app-tokens [--rounds 6] [--seconds 3]
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { pairedCost, printCost, usualReads, withService } from './lib/paired.mjs';

const { mintSecret } = createRequire(import.meta.url)('../dist/libs/areas/identity/token-secret.policy.js');
const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: { rounds: { type: 'string', default: '6' }, seconds: { type: 'string', default: '3' } },
});
const MAX_RATIO = 1.05;

await withService(async ({ client, tokens, events, start, postmaster }) => {
  const service = await start();
  const ids = [events.first, events.last];
  const variants = {
    'own token': { service, requests: usualReads(tokens[0], ids) },
    'token of an app': { service, requests: usualReads(await connectApp(client, 'p1'), ids) },
  };
  const table = await pairedCost(variants, {
    postmaster,
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
  });
  printCost(table, ['own token', 'token of an app'], MAX_RATIO);
});

/**
 * Connects an app to the person's account. Returns the token of the app. `last_used_at` is in the future, so that no
 * request updates it.
 */
async function connectApp(client, slug) {
  const secret = mintSecret('app');
  await client.query(
    `WITH app AS (
       INSERT INTO apps (client_id, origin, name, redirect_uris, created_at, updated_at)
       VALUES ('bench', 'registration', 'Bench', '{https://app.example/cb}', now(), now()) RETURNING id),
     grants AS (
       INSERT INTO app_grants (app_id, user_id, scopes, resources, created_at, last_used_at)
       SELECT app.id, users.id, '{write}', '{}', now(), now() + interval '1 day' FROM app, users WHERE slug = $1 RETURNING id)
     INSERT INTO app_tokens (hash, grant_id, scopes, expires_at, last_used_at, created_at)
     SELECT $2, id, '{write}', now() + interval '1 day', now() + interval '1 day', now() FROM grants`,
    [slug, createHash('sha256').update(secret).digest('hex')],
  );
  return secret;
}
