import { statement } from '#platform/database/database';

/*
 * Each statement here that moves credits writes transfers and updates the accounts. A transfer has two entries, which
 * add up to zero. Each statement is atomic.
 */

export const INSERT_CREDIT_ACCOUNT = statement(
  'credits_insert_account',
  'INSERT INTO credit_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
);

export const LOCK_CREDIT_ACCOUNT = statement(
  'credits_lock_account',
  'SELECT balance FROM credit_accounts WHERE user_id = $1 FOR UPDATE',
);

/**
 * Locks accounts in the order of user ids: the account of user $3, and each account that has an unsettled hold with an
 * id in $1 or with an event in $2.
 */
export const LOCK_ACCOUNTS_OF_HOLDS = statement(
  'credits_lock_accounts_of_holds',
  `SELECT user_id FROM credit_accounts
    WHERE user_id IN (SELECT user_id FROM credit_holds WHERE status = 'held' AND (id = ANY($1::bigint[]) OR event_id = ANY($2::bigint[])))
       OR user_id = $3::bigint
    ORDER BY user_id FOR UPDATE`,
);

/** Grants credits: $1 user, $2 amount, $3 now. */
export const GRANT_CREDITS = statement(
  'credits_grant',
  `WITH moved AS (UPDATE credit_accounts SET balance = balance + $2::bigint WHERE user_id = $1),
        t AS MATERIALIZED (SELECT nextval('credit_transfers') AS transfer)
   INSERT INTO credit_entries (transfer, kind, account, user_id, amount, created_at)
   SELECT transfer, 'grant', 'issued', NULL::bigint, -$2::bigint, $3::timestamptz FROM t
   UNION ALL SELECT transfer, 'grant', 'balance', $1::bigint, $2::bigint, $3::timestamptz FROM t`,
);

/** Holds credits: $1 event, $2 user, $3 amount, $4 now. Returns the id of the hold. */
export const HOLD_CREDITS = statement(
  'credits_hold',
  `WITH hold AS (
     INSERT INTO credit_holds (event_id, user_id, amount, created_at) VALUES ($1, $2, $3, $4) RETURNING id
   ), moved AS (
     UPDATE credit_accounts SET balance = balance - $3::bigint, held = held + $3::bigint WHERE user_id = $2
   ), t AS MATERIALIZED (SELECT nextval('credit_transfers') AS transfer, id FROM hold), entries AS (
     INSERT INTO credit_entries (transfer, kind, account, user_id, amount, hold_id, created_at)
     SELECT transfer, 'hold', 'balance', $2::bigint, -$3::bigint, id, $4::timestamptz FROM t
     UNION ALL SELECT transfer, 'hold', 'held', $2::bigint, $3::bigint, id, $4::timestamptz FROM t
   )
   SELECT id FROM hold`,
);

/**
 * Refunds the unsettled holds whose id is in $1 or whose event is in $2; $3 now. Returns the event, the person and the
 * amount of each refunded hold.
 */
export const REFUND_CREDITS = statement(
  'credits_refund',
  `WITH settled AS (
     UPDATE credit_holds SET status = 'refunded', settled_at = $3
      WHERE status = 'held' AND (id = ANY($1::bigint[]) OR event_id = ANY($2::bigint[]))
     RETURNING id, event_id, user_id, amount
   ), moved AS (
     UPDATE credit_accounts a SET held = a.held - s.amount, balance = a.balance + s.amount
       FROM (SELECT user_id, sum(amount)::bigint AS amount FROM settled GROUP BY user_id) s WHERE a.user_id = s.user_id
   ), t AS MATERIALIZED (SELECT nextval('credit_transfers') AS transfer, * FROM settled), entries AS (
     INSERT INTO credit_entries (transfer, kind, account, user_id, amount, hold_id, created_at)
     SELECT transfer, 'refund', 'held', user_id, -amount, id, $3::timestamptz FROM t
     UNION ALL SELECT transfer, 'refund', 'balance', user_id, amount, id, $3::timestamptz FROM t
   )
   SELECT event_id, user_id, amount FROM settled`,
);

/** Releases hold $1 to organizer $2, if the hold is not settled yet; $3 now. */
export const RELEASE_CREDITS = statement(
  'credits_release',
  `WITH settled AS (
     UPDATE credit_holds SET status = 'released', settled_at = $3 WHERE id = $1 AND status = 'held' RETURNING id, user_id, amount
   ), paid AS (
     UPDATE credit_accounts a SET held = a.held - s.amount FROM settled s WHERE a.user_id = s.user_id
   ), earned AS (
     UPDATE credit_accounts a SET balance = a.balance + s.amount FROM settled s WHERE a.user_id = $2
   ), t AS MATERIALIZED (SELECT nextval('credit_transfers') AS transfer, * FROM settled)
   INSERT INTO credit_entries (transfer, kind, account, user_id, amount, hold_id, created_at)
   SELECT transfer, 'release', 'held', user_id, -amount, id, $3::timestamptz FROM t
   UNION ALL SELECT transfer, 'release', 'balance', $2::bigint, amount, id, $3::timestamptz FROM t`,
);

export const SELECT_CREDIT_ACCOUNT = statement(
  'credits_account',
  'SELECT balance, held FROM credit_accounts WHERE user_id = $1',
);

export const SELECT_HOLD_STATUS = statement('credits_hold_status', 'SELECT status FROM credit_holds WHERE id = $1');
