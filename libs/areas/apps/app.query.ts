import { statement } from '#platform/database/database';

/** How this service got to know the app: from its developer, by dynamic registration, or from a metadata document. */
export type AppOrigin = 'developer' | 'registration' | 'document';

export interface AppRow {
  readonly id: string;
  readonly client_id: string;
  readonly origin: AppOrigin;
  readonly user_id: string | null;
  readonly name: string;
  readonly homepage: string | null;
  readonly icon_key: string | null;
  readonly redirect_uris: string[];
  readonly is_confidential: boolean;
  readonly secret_hash: string | null;
  readonly former_secret_hash: string | null;
  readonly former_secret_until: Date | null;
  /** The app’s own limit of requests per minute, instead of the limit per IP address; null if the app has none. */
  readonly ip_window: number | null;
  readonly document_read_at: Date | null;
  readonly suspended_at: Date | null;
  readonly created_at: Date;
}

const COLUMNS = `id, client_id, origin, user_id, name, homepage, icon_key, redirect_uris, is_confidential, secret_hash, former_secret_hash,
   former_secret_until, ip_window, document_read_at, suspended_at, created_at`;

export const APP_BY_CLIENT_ID = statement('apps_by_client_id', `SELECT ${COLUMNS} FROM apps WHERE client_id = $1`);

/** Finds and locks an app. Until the transaction ends, no other transaction can change, suspend or delete the app. */
export const LOCK_APP_SHARED = statement(
  'apps_lock_shared',
  `SELECT ${COLUMNS} FROM apps WHERE client_id = $1 FOR SHARE`,
);

export const APPS = statement('apps_all', `SELECT ${COLUMNS} FROM apps ORDER BY id`);

export const OWN_APPS = statement('apps_own', `SELECT ${COLUMNS} FROM apps WHERE user_id = $1 ORDER BY id`);

export const OWN_APP = statement('apps_own_one', `SELECT ${COLUMNS} FROM apps WHERE user_id = $1 AND id = $2`);

export const LOCK_OWN_APP = statement(
  'apps_lock_own',
  `SELECT ${COLUMNS} FROM apps WHERE user_id = $1 AND id = $2 FOR UPDATE`,
);

/** Locks all apps of a developer. */
export const LOCK_APPS_OF = statement(
  'apps_lock_of',
  'SELECT id, icon_key FROM apps WHERE user_id = $1 ORDER BY id FOR UPDATE',
);

export const COUNT_OWN_APPS = statement('apps_count_own', 'SELECT count(*)::int AS total FROM apps WHERE user_id = $1');

export const INSERT_APP = statement(
  'apps_insert',
  `INSERT INTO apps (client_id, origin, user_id, name, homepage, redirect_uris, is_confidential, secret_hash, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING ${COLUMNS}`,
);

/** Stores or updates the app that a metadata document describes. The document was read at $5. */
export const PUT_DOCUMENT_APP = statement(
  'apps_put_document',
  `INSERT INTO apps (client_id, origin, name, homepage, redirect_uris, document_read_at, created_at, updated_at)
   VALUES ($1, 'document', $2, $3, $4, $5, $5, $5)
   ON CONFLICT (client_id) DO UPDATE SET name = $2, homepage = $3, redirect_uris = $4, document_read_at = $5, updated_at = $5
   RETURNING ${COLUMNS}`,
);

/** Updates the app like PUT_DOCUMENT_APP, but does not store an unknown app. */
export const REFRESH_DOCUMENT_APP = statement(
  'apps_refresh_document',
  `UPDATE apps SET name = $2, homepage = $3, redirect_uris = $4, document_read_at = $5, updated_at = $5
    WHERE client_id = $1 AND origin = 'document'`,
);

export const UPDATE_APP = statement(
  'apps_update',
  `UPDATE apps SET name = $2, homepage = $3, redirect_uris = $4, updated_at = $5 WHERE id = $1`,
);

export const SET_ICON = statement('apps_set_icon', 'UPDATE apps SET icon_key = $2, updated_at = $3 WHERE id = $1');

/** Replaces the client secret; the former secret is accepted until $3. */
export const ROTATE_APP_SECRET = statement(
  'apps_rotate_secret',
  `UPDATE apps SET former_secret_hash = secret_hash, former_secret_until = $3, secret_hash = $2, updated_at = $4 WHERE id = $1`,
);

/** Deletes the apps $1 with all their grants. */
export const DELETE_APPS = statement('apps_delete', 'DELETE FROM apps WHERE id = ANY ($1::bigint[])');

export const SET_SUSPENDED = statement(
  'apps_set_suspended',
  'UPDATE apps SET suspended_at = $2, updated_at = $3 WHERE client_id = $1 RETURNING id',
);

export const SET_IP_WINDOW = statement(
  'apps_set_ip_window',
  'UPDATE apps SET ip_window = $2, updated_at = $3 WHERE client_id = $1 RETURNING id',
);

/**
 * Locks at most $2 apps that do not belong to a developer's account, were created before $1 and have no grant.
 * Suspended apps, and apps that another transaction has locked, are skipped.
 */
export const LOCK_UNUSED_APPS = statement(
  'apps_lock_unused',
  `SELECT o.id FROM apps o WHERE o.origin <> 'developer' AND o.created_at < $1 AND o.suspended_at IS NULL
      AND NOT EXISTS (SELECT FROM app_grants g WHERE g.app_id = o.id) ORDER BY o.id LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

/** Selects, among the apps $1, the apps without a grant. */
export const UNUSED_APPS = statement(
  'apps_unused',
  `SELECT a.id FROM apps a WHERE a.id = ANY ($1::bigint[]) AND NOT EXISTS (SELECT FROM app_grants g WHERE g.app_id = a.id)`,
);

/** Deletes the rows of at most $2 networks whose last registration was before $1. */
export const FORGET_REGISTRATIONS = statement(
  'apps_forget_registrations',
  `DELETE FROM app_registrations WHERE network IN (
     SELECT network FROM app_registrations WHERE (SELECT max(t) FROM unnest(registered_at) t) < $1 LIMIT $2)
   RETURNING network`,
);
