import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';

/** A request that will be written to the log. `at` is in milliseconds since 1970. */
export interface LoggedRequest {
  readonly at: number;
  readonly user_id: number;
  readonly request_id: string;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly bytes: number;
  readonly dry_run: boolean;
  readonly token_id: number | null;
  readonly token_name: string | null;
  readonly grant_id: number | null;
  readonly app_name: string | null;
  readonly user_agent: string | null;
}

/** The PostgreSQL type of each field. */
const TYPES: Readonly<Record<keyof LoggedRequest, string>> = {
  at: 'bigint',
  user_id: 'bigint',
  request_id: 'text',
  method: 'text',
  route: 'text',
  path: 'text',
  status: 'smallint',
  code: 'text',
  ms: 'integer',
  bytes: 'bigint',
  dry_run: 'boolean',
  token_id: 'bigint',
  token_name: 'text',
  grant_id: 'bigint',
  app_name: 'text',
  user_agent: 'text',
};
const FIELDS = Object.keys(TYPES) as (keyof LoggedRequest)[];
const ARRAYS = FIELDS.map((field, n) => `$${n + 1}::${TYPES[field]}[]`).join(', ');

const COLUMNS = FIELDS.filter((field) => field !== 'at').join(', ');

/**
 * Adds requests to the log. The values are arrays, one for each field (`columnsOf`), because PostgreSQL reads arrays
 * four times as fast as JSON. The accounts are locked, so that an erasure of an account waits until the rows are
 * written. Requests of an account that is already erased are skipped. An id consists of the milliseconds since 2020 and
 * the last 12 bits of a sequence.
 */
export const INSERT_REQUESTS = statement(
  'requests_insert',
  `WITH logged AS MATERIALIZED (
     SELECT * FROM unnest(${ARRAYS}) AS r (${FIELDS.join(', ')})),
   accounts AS (SELECT id FROM users WHERE id IN (SELECT user_id FROM logged) FOR KEY SHARE)
   INSERT INTO request_log (id, at, ${COLUMNS})
   SELECT (greatest(0, at - 1577836800000) << 12) | (nextval('request_numbers') & 4095), to_timestamp(at / 1000.0), ${COLUMNS}
     FROM logged WHERE user_id IN (SELECT id FROM accounts)`,
);

/** The parameters of INSERT_REQUESTS: for each field, an array of the values of all requests. */
export function columnsOf(requests: readonly LoggedRequest[]): unknown[][] {
  return FIELDS.map((field) => requests.map((request) => request[field]));
}

export interface RequestRow {
  readonly id: string;
  readonly at: Date;
  readonly request_id: string;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly bytes: string;
  readonly dry_run: boolean;
  readonly token_id: string | null;
  readonly token_name: string | null;
  readonly app_name: string | null;
  readonly user_agent: string | null;
}

/**
 * SQL: the newest requests of account $1 since $2; if $3 is not null, only requests with the grant $3 of an app. The
 * other parameters are filters, which select some of these newest requests. A filter that is null has no effect. $4:
 * only ids below this id. $5 and $6: the lowest and the highest status. $7: code. $8: route. $9: token.
 */
const LISTED = `
  FROM (SELECT * FROM request_log WHERE user_id = $1 AND at >= $2 AND ($3::bigint IS NULL OR grant_id = $3)
         ORDER BY id DESC LIMIT ${LIMITS.request_log.listed}) newest
 WHERE ($4::bigint IS NULL OR id < $4) AND ($5::int IS NULL OR status BETWEEN $5 AND $6)
   AND ($7::text IS NULL OR code = $7) AND ($8::text IS NULL OR route = $8) AND ($9::bigint IS NULL OR token_id = $9)`;

/** A page of the requests in LISTED, and the number of all requests in LISTED. $10 limit, $11 offset. */
export const LIST_REQUESTS = {
  list: statement(
    'requests_list',
    `SELECT id, at, request_id, method, route, path, status, code, ms, bytes, dry_run, token_id, token_name, app_name, user_agent
     ${LISTED} ORDER BY id DESC LIMIT $10 OFFSET $11`,
  ),
  total: statement('requests_total', `SELECT count(*)::int AS total ${LISTED}`),
};

/**
 * For each time span of a chart, the number of refused requests (status 400 or above), and the number of all other
 * requests (`done`). A time span without requests has no row. Additional parameters: $10 the length of a time span in
 * seconds, $11 the beginning of the first time span.
 */
export const COUNT_REQUESTS = statement(
  'requests_count',
  `SELECT date_bin(make_interval(secs => $10), at, $11) AS at, count(*) FILTER (WHERE status < 400)::int AS done,
          count(*) FILTER (WHERE status >= 400)::int AS refused
   ${LISTED} AND at >= $11 GROUP BY 1`,
);

export const DELETE_REQUESTS_OF = statement('requests_delete_of', 'DELETE FROM request_log WHERE user_id = $1');
