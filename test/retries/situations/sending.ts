import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import type { TestServer } from '#testing/test-server';
import type { Write } from './situation-builder';

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
/** The ids of all write operations in the OpenAPI document. */
export const WRITES = Object.values(DOCUMENT.paths).flatMap((operations) =>
  Object.entries(operations).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
);

export async function sendWrite(
  who: Person,
  { method, path, json, form }: Write,
  headers: Record<string, string>,
): Promise<Answer> {
  if (!form) return who.api.send(method, path, { ...(json && { json }), headers });
  const body = new FormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([new Uint8Array(value)]), 'a.png');
  }
  return who.api.send(method, path, { body, headers });
}

/** SQL: the names of all tables except the tables in $1 and the request log. Every request changes the request log. */
const TABLES = `
  SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     AND NOT c.relname LIKE 'request_log%' AND c.relname <> ALL ($1) ORDER BY 1`;
/**
 * Tables that may change during any request: stored responses and their keys, claims of idempotency keys, states of
 * files, runs of jobs.
 */
const CHANGED_BY_ANY_REQUEST = ['kept_answers', 'kept_answer_keys', 'request_claims', 'media_files', 'job_runs'];

/**
 * A digest of the rows of all tables except the request log and the tables in `ignored`. The columns `last_used_at` are
 * ignored.
 */
export async function databaseDigest(
  server: TestServer,
  ignored: readonly string[] = CHANGED_BY_ANY_REQUEST,
): Promise<string> {
  // Entries of the change feed are numbered some time after the commit. This call numbers all entries now, so that a
  // later numbering does not change the digest.
  await server.sql('SELECT number_changes()');
  const tables = await server.sql<{ name: string }>(TABLES, [ignored]);
  const lines = tables.map(
    ({ name }) => `SELECT '${name} ' || (to_jsonb(t) - 'last_used_at')::text AS line FROM ${name} t`,
  );
  const [all] = await server.sql<{ digest: string }>(
    `SELECT md5(coalesce(string_agg(line, ',' ORDER BY line), '')) AS digest FROM (${lines.join(' UNION ALL ')}) lines`,
  );
  return all?.digest ?? '';
}
