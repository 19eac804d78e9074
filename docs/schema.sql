-- The schema of the database: written by `npm run schema`, not by hand. Functions, views and triggers are changed in
-- libs/*/*/sql, tables and indexes by a numbered migration (docs/adr/0340-sql-files.md).

CREATE EXTENSION cube;

CREATE EXTENSION pg_trgm;

CREATE EXTENSION unaccent;

-- platform/places

CREATE OR REPLACE FUNCTION f_cell(latitude double precision, longitude double precision)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT least(floor(($1 + 90) * 10), 1799)::integer * 3600 + least(floor(($2 + 180) * 10), 3599)::integer $function$
;

CREATE OR REPLACE FUNCTION f_on_sphere(latitude double precision, longitude double precision)
 RETURNS cube
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN public.cube(ARRAY[
  cos(radians($1)) * cos(radians($2)), cos(radians($1)) * sin(radians($2)), sin(radians($1))]) END
$function$
;

-- platform/database

CREATE SEQUENCE versions;

CREATE TABLE database_files (
  name text NOT NULL,
  digest text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT database_files_pkey PRIMARY KEY (name)
);

CREATE TABLE migrations (
  id integer DEFAULT nextval('migrations_id_seq'::regclass) NOT NULL,
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id)
);

CREATE TABLE schema_floor (
  only_one boolean DEFAULT true NOT NULL,
  migration text NOT NULL,
  CONSTRAINT schema_floor_only_one_check CHECK (only_one),
  CONSTRAINT schema_floor_pkey PRIMARY KEY (only_one)
);

CREATE OR REPLACE FUNCTION f_fold_text(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  plain text := lower(public.unaccent('public.unaccent'::regdictionary, $1));
BEGIN
  -- Normalizing takes longer than everything else.
  IF octet_length(plain) <> length(plain) THEN
    plain := lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)));
  END IF;
  RETURN btrim(regexp_replace(plain, '[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'));
END $function$
;

CREATE OR REPLACE FUNCTION f_fold_words(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  plain text := lower(public.unaccent('public.unaccent'::regdictionary, $1));
BEGIN
  IF octet_length(plain) = length(plain) THEN
    RETURN btrim(regexp_replace(plain, '[^a-z0-9]+', ' ', 'g'));
  END IF;
  plain := lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)));
  -- The second class is the punctuation that the ranges of the first class include.
  RETURN btrim(regexp_replace(plain, '([^a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u037d\u037f-\u0386\u0388-\u1fff\u2c00-\u2dff\u3005\u3006\u3041-\ud7ff\uf900-\ufdff\ufe70-\ufefe\uff66-\uffdc\U00010000-\U0001cbff\U0001d400-\U0001d7ff\U0001df00-\U0001efff\U00020000-\U0003ffff]|[\u055a-\u055f\u0589-\u058a\u05be\u05c0\u05c3\u05c6\u05f3-\u05f4\u0609-\u060a\u060c-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0700-\u070d\u07f7-\u07f9\u0830-\u083e\u085e\u0964-\u0965\u0970\u09fd\u0a76\u0af0\u0c77\u0c84\u0df4\u0e4f\u0e5a-\u0e5b\u0f04-\u0f12\u0f14\u0f3a-\u0f3d\u0f85\u0fd0-\u0fd4\u0fd9-\u0fda\u104a-\u104f\u10fb\u1360-\u1368\u1400\u166e\u1680\u169b-\u169c\u16eb-\u16ed\u1735-\u1736\u17d4-\u17d6\u17d8-\u17da\u1800-\u180a\u1944-\u1945\u1a1e-\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e-\u1b4f\u1b5a-\u1b60\u1b7d-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e-\u1c7f\u1cc0-\u1cc7\u1cd3])+', ' ', 'g'));
END $function$
;

CREATE OR REPLACE FUNCTION f_folded(text, text, text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT ' ' || public.f_fold_words(coalesce($1, '') || ' ' || coalesce($2, '') || ' ' || coalesce($3, ''))
$function$
;

CREATE OR REPLACE FUNCTION f_grams(text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT CASE WHEN octet_length($1) = length($1) THEN
    ARRAY(SELECT DISTINCT g FROM unnest(public.show_trgm($1)) AS t, LATERAL (VALUES (substr(t, 2, 1)), (substr(t, 1, 2))) AS v (g) WHERE position(' ' IN g) = 0)
  ELSE
    ARRAY(SELECT DISTINCT substr(w, i, k) FROM (SELECT DISTINCT w FROM unnest(string_to_array($1, ' ')) AS w) words,
            generate_series(1, length(w)) AS i, generate_series(1, 2) AS k WHERE i + k <= length(w) + 1)
  END
$function$
;

CREATE OR REPLACE FUNCTION f_part_query(text)
 RETURNS tsquery
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
DECLARE
  words text[] := string_to_array(f_fold_words($1), ' ');
  last integer := coalesce(cardinality(words), 0);
  others tsquery;
  ends tsquery;
BEGIN
  IF last = 0 THEN
    RETURN '!''~'''::tsquery;
  END IF;
  SELECT string_agg(quote_literal(left(words[i], 100)) || CASE WHEN i = last THEN ':*' ELSE '' END, ' & ')::tsquery INTO others FROM generate_series(2, last) AS i;
  IF last > 1 AND (length(words[1]) < 3 OR EXISTS (SELECT 1 FROM unnest(words[2:]) AS w WHERE length(w) >= 3)) THEN
    RETURN others;
  END IF;
  SELECT string_agg(quote_literal(word), ' | ')::tsquery INTO ends FROM (
    SELECT word FROM live_words WHERE f_grams(word) @> f_grams(words[1]) AND word LIKE '%' || words[1] || CASE WHEN last = 1 THEN '%' ELSE '' END
    UNION SELECT word FROM live_words WHERE length(word) >= 100) w;
  RETURN CASE WHEN others IS NULL THEN ends ELSE ends && others END;
END $function$
;

CREATE OR REPLACE FUNCTION f_prefix_patterns(text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT coalesce(array_agg('% ' || w || '%'), '{}') FROM unnest(string_to_array(f_fold_words($1), ' ')) AS w
$function$
;

CREATE OR REPLACE FUNCTION f_prefix_query(text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT coalesce(string_agg('''' || left(w, 100) || ''':*', ' & '), '!''~''')::tsquery FROM unnest(string_to_array(f_fold_words($1), ' ')) AS w
$function$
;

CREATE OR REPLACE FUNCTION f_visible_text(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT replace(replace(replace(replace(
  regexp_replace(regexp_replace($1, '</?(b|i|u|s|em|strong|a)( [^>]*)?>', '', 'g'), '<[^>]*>', ' ', 'g'),
  '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')
$function$
;

CREATE OR REPLACE FUNCTION f_words(text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT array_to_tsvector(ARRAY(SELECT DISTINCT left(w, 100) FROM unnest(string_to_array($1, ' ')) AS w WHERE w <> ''))
$function$
;

CREATE OR REPLACE FUNCTION give_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  was jsonb := to_jsonb(OLD) - TG_ARGV[0]::text[];
  becomes jsonb := to_jsonb(NEW) - TG_ARGV[0]::text[];
BEGIN
  IF was = becomes THEN
    NEW.updated_at := OLD.updated_at;
  -- Sealing the same text under another secret is not a change (platform/installation/rotation.ts).
  ELSIF current_setting('events.resealing', true) IS DISTINCT FROM 'on'
    AND (TG_NARGS = 1 OR was - TG_ARGV[1]::text[] <> becomes - TG_ARGV[1]::text[]) THEN
    NEW.version := nextval('versions');
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION lock_transaction(number bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT pg_try_advisory_xact_lock(number) THEN
    RAISE EXCEPTION 'another transaction has the lock %', number USING ERRCODE = 'EV001';
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION notify_out_of_sight()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('out_of_sight', ''), set_config('changes.hidden', 'on', true);
  RETURN NULL;
END $function$
;

-- platform/maintenance

CREATE TABLE maintenance (
  only_one boolean DEFAULT true NOT NULL,
  message text NOT NULL,
  since timestamp with time zone NOT NULL,
  CONSTRAINT maintenance_only_one_check CHECK (only_one),
  CONSTRAINT maintenance_pkey PRIMARY KEY (only_one)
);

-- platform/jobs

CREATE TABLE job_runs (
  job text NOT NULL,
  slot timestamp with time zone NOT NULL,
  attempts integer DEFAULT 1 NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  result jsonb,
  error text,
  CONSTRAINT job_runs_check CHECK (((finished_at IS NULL) = (result IS NULL))),
  CONSTRAINT job_runs_check1 CHECK (((error IS NULL) OR (finished_at IS NULL))),
  CONSTRAINT job_runs_pkey PRIMARY KEY (job, slot)
);

-- platform/audit

CREATE TABLE audit_entries (
  number bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  actor_id bigint,
  action text NOT NULL,
  subject text,
  reason text,
  details jsonb NOT NULL,
  hash text NOT NULL,
  operator text,
  CONSTRAINT audit_entries_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT audit_entries_number_check CHECK ((number > 0)),
  CONSTRAINT audit_entries_pkey PRIMARY KEY (number)
);

CREATE TABLE audit_head (
  only_one boolean DEFAULT true NOT NULL,
  entries bigint NOT NULL,
  last_hash text NOT NULL,
  hash text NOT NULL,
  key_sealed text NOT NULL,
  CONSTRAINT audit_head_only_one_check CHECK (only_one),
  CONSTRAINT audit_head_pkey PRIMARY KEY (only_one)
);

CREATE TRIGGER audit_entries_stay BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
-- Enabled: always.

CREATE TRIGGER audit_entries_stay_all BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
-- Enabled: always.

CREATE OR REPLACE FUNCTION audit_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'audit_entries is append-only' USING ERRCODE = 'insufficient_privilege';
END $function$
;

-- platform/changes

CREATE SEQUENCE change_numbers;

CREATE TABLE change_feed (
  is_only boolean DEFAULT true NOT NULL,
  last_number bigint NOT NULL,
  seen pg_snapshot,
  CONSTRAINT change_feed_is_only_check CHECK (is_only),
  CONSTRAINT change_feed_pkey PRIMARY KEY (is_only)
);

CREATE TABLE changes (
  id bigint DEFAULT nextval('change_numbers'::regclass) NOT NULL,
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  topic_kind text NOT NULL,
  topic_id bigint NOT NULL,
  type text NOT NULL,
  subject_id bigint NOT NULL,
  subject_text text,
  parent_id bigint,
  person_id bigint,
  counted boolean NOT NULL,
  by_id bigint
) PARTITION BY RANGE (at);

CREATE TABLE unnumbered_changes (
  written bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  topic_kind text NOT NULL,
  topic_id bigint NOT NULL,
  type text NOT NULL,
  subject_id bigint NOT NULL,
  subject_text text,
  parent_id bigint,
  person_id bigint,
  counted boolean NOT NULL,
  by_id bigint
);

CREATE INDEX changes_number ON ONLY public.changes USING btree (id);

CREATE INDEX changes_topic_number ON ONLY public.changes USING btree (topic_kind, topic_id, id);

CREATE INDEX changes_xid ON ONLY public.changes USING btree (xid);

CREATE INDEX unnumbered_changes_xid ON unnumbered_changes USING btree (xid, topic_kind, topic_id);

CREATE OR REPLACE FUNCTION acting_account()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ SELECT nullif(current_setting('changes.by', true), '')::bigint $function$
;

CREATE OR REPLACE FUNCTION number_changes()
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  feed change_feed;
  unseen_from xid8;
  running xid8[];
  is_locked boolean := false;
BEGIN
  LOOP
    SELECT * INTO STRICT feed FROM change_feed;
    unseen_from := coalesce(pg_snapshot_xmax(feed.seen), '0');
    running := ARRAY(SELECT pg_snapshot_xip(feed.seen));
    IF NOT EXISTS (SELECT FROM unnumbered_changes c WHERE c.xid >= unseen_from OR c.xid = ANY (running)) THEN
      -- Read again: another session may have numbered the entries since the first statement of this loop.
      RETURN (SELECT last_number FROM change_feed);
    END IF;
    EXIT WHEN is_locked;
    PERFORM pg_advisory_xact_lock(hashtext('number_changes'), 0);
    is_locked := true;
  END LOOP;
  WITH committed AS (
    DELETE FROM unnumbered_changes c WHERE c.xid >= unseen_from OR c.xid = ANY (running) RETURNING c.*),
  numbered AS (
    INSERT INTO changes (at, topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
    SELECT at, topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id
      FROM (SELECT c.*, min(written) OVER (PARTITION BY xid) AS first_written FROM committed c) ordered
     ORDER BY first_written, written
    RETURNING id)
  UPDATE change_feed SET seen = pg_current_snapshot(), last_number = greatest(last_number, (SELECT max(id) FROM numbered))
  RETURNING last_number INTO feed.last_number;
  RETURN feed.last_number;
END $function$
;

CREATE OR REPLACE FUNCTION record_change(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL::text, parent_id bigint DEFAULT NULL::bigint, person_id bigint DEFAULT NULL::bigint, counted boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 LIKE '%.gone' THEN NULL ELSE acting_account() END);
END $function$
;

CREATE OR REPLACE FUNCTION record_update(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  kind text := split_part($3, '.', 1);
BEGIN
  IF EXISTS (
    SELECT FROM unnumbered_changes c WHERE c.topic_kind = $1 AND c.topic_id = $2 AND c.xid = pg_current_xact_id()
       AND c.subject_id = $4 AND c.type IN (kind || '.created', kind || '.updated', kind || '.cancelled')) THEN
    RETURN;
  END IF;
  PERFORM record_change($1, $2, $3, $4, $5);
END $function$
;

-- platform/installation

CREATE TABLE installation (
  only_one boolean DEFAULT true NOT NULL,
  secret_fingerprint text NOT NULL,
  former_secret_sealed text,
  CONSTRAINT installation_only_one_check CHECK (only_one),
  CONSTRAINT installation_pkey PRIMARY KEY (only_one),
  CONSTRAINT installation_secret_fingerprint_check CHECK ((secret_fingerprint ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE public_id_salts (
  kind text NOT NULL,
  salt text NOT NULL,
  CONSTRAINT public_id_salts_pkey PRIMARY KEY (kind),
  CONSTRAINT public_id_salts_salt_check CHECK ((salt ~ '^[0-9a-f]{64}$'::text))
);

-- platform/media

CREATE TABLE media_files (
  key text NOT NULL,
  state text DEFAULT 'pending'::text NOT NULL,
  kind text NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  doomed_at timestamp with time zone,
  CONSTRAINT media_files_bytes_check CHECK ((bytes >= 0)),
  CONSTRAINT media_files_check CHECK (((state = 'doomed'::text) = (doomed_at IS NOT NULL))),
  CONSTRAINT media_files_kind_check CHECK ((kind = ANY (ARRAY['picture'::text, 'video'::text]))),
  CONSTRAINT media_files_pkey PRIMARY KEY (key),
  CONSTRAINT media_files_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'kept'::text, 'doomed'::text])))
);

CREATE INDEX media_files_doomed ON media_files USING btree (key) WHERE (state = 'doomed'::text);

CREATE INDEX media_files_pending ON media_files USING btree (created_at) WHERE (state = 'pending'::text);

-- platform/retries

CREATE TABLE kept_answer_keys (
  only_one boolean DEFAULT true NOT NULL,
  key_sealed text NOT NULL,
  CONSTRAINT kept_answer_keys_only_one_check CHECK (only_one),
  CONSTRAINT kept_answer_keys_pkey PRIMARY KEY (only_one)
);

CREATE TABLE kept_answers (
  account_id bigint NOT NULL,
  key_hash text NOT NULL,
  kept_at timestamp with time zone NOT NULL,
  answer text NOT NULL,
  CONSTRAINT kept_answers_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT kept_answers_pkey PRIMARY KEY (account_id, key_hash)
) WITH (toast_tuple_target=8160);

CREATE UNLOGGED TABLE request_claims (
  account_id bigint NOT NULL,
  key_hash text NOT NULL,
  holder text NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT request_claims_pkey PRIMARY KEY (account_id, key_hash)
);

CREATE OR REPLACE FUNCTION claim_request(account bigint, key text, claimant text, seconds integer, OUT answer text, OUT claimed boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO request_claims AS held (account_id, key_hash, holder, until)
    VALUES (account, key, claimant, clock_timestamp() + make_interval(secs => seconds))
    ON CONFLICT (account_id, key_hash) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE held.until < clock_timestamp();
  claimed := FOUND;
  -- Each statement of a volatile function sees all transactions that were committed before this statement.
  SELECT kept.answer INTO answer FROM kept_answers kept WHERE kept.account_id = account AND kept.key_hash = key;
  IF FOUND AND claimed THEN
    DELETE FROM request_claims held WHERE held.account_id = account AND held.key_hash = key AND held.holder = claimant;
    claimed := false;
  END IF;
END $function$
;

-- identity

CREATE TABLE app_tokens (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  hash text NOT NULL,
  grant_id bigint NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT app_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE,
  CONSTRAINT app_tokens_hash_key UNIQUE (hash),
  CONSTRAINT app_tokens_pkey PRIMARY KEY (id)
);

CREATE TABLE token_forms (
  user_id bigint NOT NULL,
  form text NOT NULL,
  used_at timestamp with time zone NOT NULL,
  CONSTRAINT token_forms_pkey PRIMARY KEY (user_id, form),
  CONSTRAINT token_forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE tokens (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  access text NOT NULL,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  tail text,
  scopes text[],
  CONSTRAINT tokens_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text, 'legacy'::text]))),
  CONSTRAINT tokens_hash_key UNIQUE (hash),
  CONSTRAINT tokens_pkey PRIMARY KEY (id),
  CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE user_blocks (
  blocker_id bigint NOT NULL,
  blocked_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT user_blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT user_blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT user_blocks_check CHECK ((blocker_id <> blocked_id)),
  CONSTRAINT user_blocks_pkey PRIMARY KEY (blocker_id, blocked_id)
);

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  nickname text,
  email text,
  password_hash text,
  locale text DEFAULT 'cs'::text NOT NULL,
  timezone text DEFAULT 'Europe/Prague'::text NOT NULL,
  birth_date date,
  gender text,
  iban text,
  avatar_key text,
  searchable boolean DEFAULT true NOT NULL,
  premium_until timestamp with time zone,
  verified boolean DEFAULT false NOT NULL,
  admin boolean DEFAULT false NOT NULL,
  moderator boolean DEFAULT false NOT NULL,
  banned boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  banned_until timestamp with time zone,
  gone boolean DEFAULT false NOT NULL,
  folded text,
  reminder_hours smallint DEFAULT 24 NOT NULL,
  show_participation boolean DEFAULT false NOT NULL,
  place jsonb,
  operator_ban_at timestamp with time zone,
  operator_ban_until timestamp with time zone,
  CONSTRAINT users_avatar_key_fkey FOREIGN KEY (avatar_key) REFERENCES media_files(key),
  CONSTRAINT users_gender_check CHECK ((gender = ANY (ARRAY['male'::text, 'female'::text, 'other'::text]))),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_reminder_hours CHECK ((reminder_hours = ANY (ARRAY[0, 2, 24, 48]))) NOT VALID,
  CONSTRAINT users_slug_key UNIQUE (slug)
);

CREATE TABLE web_sessions (
  id uuid NOT NULL,
  user_id bigint NOT NULL,
  key_hash text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT web_sessions_key_hash_check CHECK ((key_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT web_sessions_key_hash_key UNIQUE (key_hash),
  CONSTRAINT web_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT web_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX app_tokens_expires ON app_tokens USING btree (expires_at);

CREATE INDEX app_tokens_grant ON app_tokens USING btree (grant_id);

CREATE INDEX tokens_user ON tokens USING btree (user_id, id);

CREATE INDEX user_blocks_blocked ON user_blocks USING btree (blocked_id, blocker_id);

CREATE INDEX user_blocks_latest ON user_blocks USING btree (blocker_id, created_at DESC, blocked_id DESC);

CREATE INDEX users_banned ON users USING btree (id) WHERE banned;

CREATE INDEX users_banned_until ON users USING btree (banned_until) WHERE (banned_until IS NOT NULL);

CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));

CREATE INDEX users_unfolded ON users USING btree (id) WHERE (folded IS NULL);

CREATE INDEX web_sessions_expiry ON web_sessions USING btree (expires_at);

CREATE INDEX web_sessions_user ON web_sessions USING btree (user_id);

CREATE TRIGGER user_blocks_hide AFTER INSERT OR DELETE ON user_blocks FOR EACH ROW EXECUTE FUNCTION record_hidden_from_change();

CREATE TRIGGER bank_account_is_recorded AFTER UPDATE OF iban ON users FOR EACH ROW WHEN ((old.iban IS DISTINCT FROM new.iban)) EXECUTE FUNCTION record_bank_account_change();

CREATE TRIGGER door_links_end_with_a_ban AFTER UPDATE OF banned ON users FOR EACH ROW WHEN ((new.banned AND (NOT old.banned))) EXECUTE FUNCTION end_door_links();

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF banned ON users FOR EACH ROW WHEN ((new.banned AND (NOT old.banned))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER people_words_change AFTER UPDATE OF name, nickname, slug, searchable, gone, folded ON users FOR EACH ROW WHEN ((((((old.name IS DISTINCT FROM new.name) OR (old.slug IS DISTINCT FROM new.slug)) OR (old.searchable IS DISTINCT FROM new.searchable)) OR (old.gone IS DISTINCT FROM new.gone)) OR (old.folded IS DISTINCT FROM new.folded))) EXECUTE FUNCTION people_words_follow();

CREATE TRIGGER people_words_come_and_go AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION people_words_follow();

CREATE TRIGGER reminders_follow_the_choice AFTER UPDATE OF reminder_hours ON users FOR EACH ROW WHEN ((old.reminder_hours <> new.reminder_hours)) EXECUTE FUNCTION look_for_reminders_again();

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF banned ON users FOR EACH ROW WHEN ((old.banned <> new.banned)) EXECUTE FUNCTION record_visibility_of_person();

CREATE TRIGGER users_ban_live AFTER UPDATE OF banned, banned_until ON users FOR EACH ROW WHEN (((old.banned IS DISTINCT FROM new.banned) OR (old.banned_until IS DISTINCT FROM new.banned_until))) EXECUTE FUNCTION live_events_of_person();

CREATE TRIGGER users_fold BEFORE INSERT OR UPDATE OF name, nickname, slug, gone, folded ON users FOR EACH ROW EXECUTE FUNCTION users_fold();

CREATE OR REPLACE FUNCTION is_banned(banned boolean, banned_until timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT banned AND (banned_until IS NULL OR banned_until > now())
$function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Posts are recorded first: record_visibility_of_event records the posts about an event too, except those that this
  -- transaction has already recorded.
  PERFORM record_change('account', NEW.id, CASE WHEN NEW.banned THEN 'post.gone' ELSE 'post.updated' END, p.id, p.slug)
     FROM all_posts p WHERE p.author_id = NEW.id AND p.removed_at IS NULL ORDER BY p.id;
  PERFORM record_notices_about_comments(NULL, p.id) FROM all_posts p WHERE p.author_id = NEW.id AND p.removed_at IS NULL ORDER BY p.id;
  PERFORM record_visibility_of_event(e.id, NEW.banned) FROM all_events e LEFT JOIN all_series s ON s.id = e.series_id
    WHERE e.organizer_id = NEW.id AND e.status = 'active' AND e.over_at > now() AND e.removed_at IS NULL AND s.removed_at IS NULL ORDER BY e.id;
  -- A ban does not hide the ended and cancelled events of a series. But each of these events refers to the first event
  -- of the series, and a ban can hide the first event.
  PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e
    WHERE e.organizer_id = NEW.id AND e.series_id IS NOT NULL AND (e.status <> 'active' OR e.over_at <= now())
      AND (SELECT f.id <> e.id AND f.status = 'active' AND f.over_at > now() FROM all_events f
            WHERE f.series_id = e.series_id AND f.removed_at IS NULL ORDER BY f.series_index LIMIT 1) ORDER BY e.id;
  RETURN NULL;
END $function$
;

-- account-mail

CREATE TABLE account_mails (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  locale text NOT NULL,
  user_id bigint,
  name text,
  password_hash text,
  next_path text,
  created_at timestamp with time zone NOT NULL,
  queued_at timestamp with time zone,
  mailed_at timestamp with time zone,
  token_hash text,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  birth_date date,
  gender text,
  show_participation boolean DEFAULT false NOT NULL,
  place jsonb,
  CONSTRAINT account_mails_kind_check CHECK ((kind = ANY (ARRAY['register'::text, 'reset'::text, 'email'::text, 'email_changed'::text]))),
  CONSTRAINT account_mails_pkey PRIMARY KEY (id),
  CONSTRAINT account_mails_token_hash_key UNIQUE (token_hash),
  CONSTRAINT account_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX account_mails_address ON account_mails USING btree (lower(address), created_at);

CREATE INDEX account_mails_created ON account_mails USING btree (created_at);

CREATE INDEX account_mails_unqueued ON account_mails USING btree (id) WHERE (queued_at IS NULL);

CREATE INDEX account_mails_user ON account_mails USING btree (user_id);

-- second-step

CREATE TABLE half_sessions (
  key_hash text NOT NULL,
  user_id bigint NOT NULL,
  password_seen text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT half_sessions_pkey PRIMARY KEY (key_hash),
  CONSTRAINT half_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE passkeys (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL,
  code_hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE second_step_tries (
  user_id bigint NOT NULL,
  tried_at timestamp with time zone[] NOT NULL,
  CONSTRAINT second_step_tries_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_step_tries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE totp_secrets (
  user_id bigint NOT NULL,
  secret_sealed text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  used_step bigint,
  CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id),
  CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE used_challenges (
  challenge text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_challenges_pkey PRIMARY KEY (challenge)
);

CREATE INDEX half_sessions_expiry ON half_sessions USING btree (expires_at);

CREATE INDEX half_sessions_user ON half_sessions USING btree (user_id);

CREATE INDEX passkeys_user ON passkeys USING btree (user_id, id);

CREATE INDEX used_challenges_expiry ON used_challenges USING btree (expires_at);

-- quotas

CREATE TABLE daily_counters (
  user_id bigint NOT NULL,
  kind text NOT NULL,
  day date NOT NULL,
  taken integer NOT NULL,
  CONSTRAINT daily_counters_pkey PRIMARY KEY (user_id, kind, day),
  CONSTRAINT daily_counters_taken_check CHECK ((taken > 0)),
  CONSTRAINT daily_counters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX daily_counters_day ON daily_counters USING btree (day);

-- credits

CREATE SEQUENCE credit_transfers;

CREATE TABLE credit_accounts (
  user_id bigint NOT NULL,
  balance bigint DEFAULT 0 NOT NULL,
  held bigint DEFAULT 0 NOT NULL,
  CONSTRAINT credit_accounts_balance_check CHECK ((balance >= 0)),
  CONSTRAINT credit_accounts_held_check CHECK ((held >= 0)),
  CONSTRAINT credit_accounts_pkey PRIMARY KEY (user_id),
  CONSTRAINT credit_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  transfer bigint NOT NULL,
  kind text NOT NULL,
  account text NOT NULL,
  user_id bigint,
  amount bigint NOT NULL,
  hold_id bigint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT credit_entries_account_check CHECK ((account = ANY (ARRAY['issued'::text, 'balance'::text, 'held'::text]))),
  CONSTRAINT credit_entries_amount_check CHECK ((amount <> 0)),
  CONSTRAINT credit_entries_check CHECK (((account = 'issued'::text) = (user_id IS NULL))),
  CONSTRAINT credit_entries_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES credit_holds(id),
  CONSTRAINT credit_entries_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'release'::text, 'refund'::text]))),
  CONSTRAINT credit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT credit_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE credit_holds (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  user_id bigint NOT NULL,
  amount bigint NOT NULL,
  status text DEFAULT 'held'::text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  CONSTRAINT credit_holds_amount_check CHECK ((amount > 0)),
  CONSTRAINT credit_holds_check CHECK (((status = 'held'::text) = (settled_at IS NULL))),
  CONSTRAINT credit_holds_pkey PRIMARY KEY (id),
  CONSTRAINT credit_holds_status_check CHECK ((status = ANY (ARRAY['held'::text, 'released'::text, 'refunded'::text]))),
  CONSTRAINT credit_holds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE INDEX credit_entries_user ON credit_entries USING btree (user_id, id);

CREATE UNIQUE INDEX credit_holds_held ON credit_holds USING btree (event_id, user_id) WHERE (status = 'held'::text);

-- groups

CREATE TABLE all_groups (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  owner_id bigint NOT NULL,
  name text NOT NULL,
  description text,
  is_public boolean NOT NULL,
  location_name text,
  latitude double precision,
  longitude double precision,
  place cube GENERATED ALWAYS AS (f_on_sphere(latitude, longitude)) STORED,
  cell integer GENERATED ALWAYS AS (f_cell(latitude, longitude)) STORED,
  members_count integer NOT NULL,
  avatar_key text,
  cover_key text,
  invite_code text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version bigint DEFAULT nextval('versions'::regclass) NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT groups_avatar_key_fkey FOREIGN KEY (avatar_key) REFERENCES media_files(key),
  CONSTRAINT groups_check CHECK (((latitude IS NULL) = (longitude IS NULL))),
  CONSTRAINT groups_cover_key_fkey FOREIGN KEY (cover_key) REFERENCES media_files(key),
  CONSTRAINT groups_invite_code_key UNIQUE (invite_code),
  CONSTRAINT groups_members_count_check CHECK ((members_count >= 1)),
  CONSTRAINT groups_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  CONSTRAINT groups_pkey PRIMARY KEY (id)
);

CREATE TABLE group_cells (
  cell integer NOT NULL,
  centre cube,
  span double precision,
  groups integer NOT NULL,
  CONSTRAINT group_cells_check CHECK ((((cell = '-1'::integer) = (centre IS NULL)) AND ((centre IS NULL) = (span IS NULL)))),
  CONSTRAINT group_cells_groups_check CHECK ((groups >= 0)),
  CONSTRAINT group_cells_pkey PRIMARY KEY (cell)
);

CREATE TABLE group_chats (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  group_id bigint,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT group_chats_group_id_fkey FOREIGN KEY (group_id) REFERENCES all_groups(id) ON DELETE SET NULL,
  CONSTRAINT group_chats_group_id_key UNIQUE (group_id),
  CONSTRAINT group_chats_pkey PRIMARY KEY (id)
);

CREATE TABLE group_members (
  group_id bigint NOT NULL,
  user_id bigint NOT NULL,
  role text NOT NULL,
  joined_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT group_members_check CHECK (((joined_at IS NOT NULL) = (role = ANY (ARRAY['owner'::text, 'member'::text])))),
  CONSTRAINT group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES all_groups(id) ON DELETE CASCADE,
  CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id),
  CONSTRAINT group_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text, 'invited'::text, 'requested'::text]))),
  CONSTRAINT group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE INDEX groups_avatar_key ON all_groups USING btree (avatar_key) WHERE (avatar_key IS NOT NULL);

CREATE INDEX groups_cell ON all_groups USING btree (cell) INCLUDE (place) WHERE (is_public AND (latitude IS NOT NULL) AND (removed_at IS NULL));

CREATE INDEX groups_cover_key ON all_groups USING btree (cover_key) WHERE (cover_key IS NOT NULL);

CREATE INDEX groups_nearest ON all_groups USING gist (place) WHERE (is_public AND (latitude IS NOT NULL) AND (removed_at IS NULL));

CREATE INDEX groups_newest ON all_groups USING btree (created_at DESC, id DESC) WHERE (is_public AND (removed_at IS NULL));

CREATE INDEX groups_owner ON all_groups USING btree (owner_id);

CREATE INDEX groups_removed ON all_groups USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE INDEX groups_words ON all_groups USING gin (f_folded(name, description, location_name) gin_trgm_ops) WHERE is_public;

CREATE INDEX group_members_joined ON group_members USING btree (group_id, joined_at, user_id) WHERE (joined_at IS NOT NULL);

CREATE UNIQUE INDEX group_members_one_owner ON group_members USING btree (group_id) WHERE (role = 'owner'::text);

CREATE INDEX group_members_pending ON group_members USING btree (group_id, role, created_at, user_id) WHERE (joined_at IS NULL);

CREATE INDEX group_members_user ON group_members USING btree (user_id, role) INCLUDE (group_id);

CREATE TRIGGER changes_are_recorded AFTER INSERT ON all_groups FOR EACH ROW EXECUTE FUNCTION record_group();

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_groups FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION record_group();

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF owner_id ON all_groups FOR EACH ROW WHEN ((old.owner_id IS DISTINCT FROM new.owner_id)) EXECUTE FUNCTION record_group_handover();

CREATE TRIGGER deletion_is_notified AFTER DELETE ON all_groups FOR EACH ROW EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER groups_count_cell AFTER INSERT OR DELETE OR UPDATE OF is_public, latitude, longitude, removed_at ON all_groups FOR EACH ROW EXECUTE FUNCTION count_group_in_cell();

CREATE TRIGGER groups_version BEFORE UPDATE ON all_groups FOR EACH ROW WHEN ((old.members_count = new.members_count)) EXECUTE FUNCTION give_version('{id, owner_id, place, cell, members_count, invite_code, created_at, updated_at, version, removed_at}');

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at, is_public ON all_groups FOR EACH ROW WHEN ((((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL)) OR (old.is_public AND (NOT new.is_public)))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_groups FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_visibility_of_groups();

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE OR UPDATE ON group_members FOR EACH ROW EXECUTE FUNCTION record_member();

CREATE VIEW groups AS
 SELECT id,
    owner_id,
    name,
    description,
    is_public,
    location_name,
    latitude,
    longitude,
    place,
    cell,
    members_count,
    avatar_key,
    cover_key,
    invite_code,
    created_at,
    updated_at,
    version
   FROM all_groups a
  WHERE (removed_at IS NULL);

CREATE OR REPLACE FUNCTION count_group_in_cell()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  was integer := CASE WHEN TG_OP <> 'INSERT' AND OLD.is_public AND OLD.removed_at IS NULL THEN coalesce(OLD.cell, -1) END;
  becomes integer := CASE WHEN TG_OP <> 'DELETE' AND NEW.is_public AND NEW.removed_at IS NULL THEN coalesce(NEW.cell, -1) END;
  south double precision;
  west double precision;
  middle cube;
  change record;
BEGIN
  IF was IS NOT DISTINCT FROM becomes THEN RETURN NULL; END IF;
  -- Cells are updated in the order of their numbers, to prevent deadlocks between transactions that move groups between
  -- the same cells.
  FOR change IN SELECT * FROM (VALUES (was, -1), (becomes, 1)) v (cell, amount) WHERE v.cell IS NOT NULL ORDER BY v.cell LOOP
    UPDATE group_cells SET groups = groups + change.amount WHERE cell = change.cell;
    IF FOUND THEN CONTINUE; END IF;
    IF change.cell >= 0 THEN
      south := change.cell / 3600 / 10.0 - 90;
      west := change.cell % 3600 / 10.0 - 180;
      middle := f_on_sphere(south + 0.05, west + 0.05);
    END IF;
    INSERT INTO group_cells AS known (cell, centre, span, groups)
    VALUES (change.cell, middle,
            greatest(middle <-> f_on_sphere(south, west), middle <-> f_on_sphere(south + 0.1, west)) + 1e-12, change.amount)
    ON CONFLICT (cell) DO UPDATE SET groups = known.groups + change.amount;
  END LOOP;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_change('group', NEW.id, 'group.created', NEW.id, person_id => NEW.owner_id);
  ELSE
    PERFORM record_update('group', NEW.id, 'group.updated', NEW.id);
    -- An event shows its group only to people who see the group (EVT-31).
    IF OLD.is_public <> NEW.is_public THEN
      PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.group_id = NEW.id ORDER BY e.id;
    END IF;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_group_handover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_update('group', NEW.id, 'group.updated', NEW.id);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  member record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  had_joined boolean := CASE WHEN TG_OP <> 'INSERT' THEN OLD.joined_at IS NOT NULL ELSE false END;
  has_joined boolean := CASE WHEN TG_OP <> 'DELETE' THEN NEW.joined_at IS NOT NULL ELSE false END;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM record_change('account', member.user_id, 'group.gone', member.group_id);
    IF NOT EXISTS (SELECT FROM groups g WHERE g.id = member.group_id) THEN RETURN NULL; END IF;
  ELSIF TG_OP = 'INSERT' AND member.role = 'owner' THEN
    RETURN NULL;
  END IF;
  PERFORM record_change('group', member.group_id, CASE TG_OP WHEN 'INSERT' THEN 'member.created' WHEN 'UPDATE' THEN 'member.updated' ELSE 'member.gone' END,
    -- If `counted` is true, the number of members has changed, so everybody who sees the group gets `group.updated`.
    member.user_id, person_id => member.user_id, counted => had_joined <> has_joined);
  -- A person who gets a role in a private group starts to see it; a person who loses the role no longer sees it. The
  -- group then also appears on its events or disappears from them (EVT-31).
  IF TG_OP <> 'UPDATE' THEN
    PERFORM record_update('account', member.user_id, 'event.updated', e.id)
       FROM events e JOIN groups g ON g.id = e.group_id AND NOT g.is_public
       LEFT JOIN participations p ON p.event_id = e.id AND p.user_id = member.user_id
      WHERE e.group_id = member.group_id
        AND (e.organizer_id = member.user_id OR p.status IN ('confirmed', 'pending', 'waitlisted', 'requested')) ORDER BY e.id;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_groups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.removed_at IS NULL THEN
    PERFORM record_change('group', NEW.id, 'group.updated', NEW.id);
  ELSE
    PERFORM record_change('account', m.user_id, 'group.gone', NEW.id) FROM group_members m WHERE m.group_id = NEW.id ORDER BY m.user_id;
  END IF;
  PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.group_id = NEW.id ORDER BY e.id;
  RETURN NULL;
END $function$
;

-- events

CREATE TABLE all_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  organizer_id bigint NOT NULL,
  group_id bigint,
  series_id bigint,
  series_index integer,
  status text DEFAULT 'active'::text NOT NULL,
  title text NOT NULL,
  description text,
  type text NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  over_at timestamp with time zone GENERATED ALWAYS AS (COALESCE(ends_at, (((starts_at AT TIME ZONE 'UTC'::text) + '06:00:00'::interval) AT TIME ZONE 'UTC'::text))) STORED NOT NULL,
  location_name text,
  location_address text,
  latitude double precision,
  longitude double precision,
  is_public boolean NOT NULL,
  join_mode text NOT NULL,
  join_password_sealed text,
  max_participants integer,
  confirmed_count integer DEFAULT 0 NOT NULL,
  seeking_company boolean NOT NULL,
  age_min integer,
  age_max integer,
  gender_restriction text,
  price_czk numeric(7,2),
  price_note text,
  ticket_url text,
  ticket_price_credits integer DEFAULT 0 NOT NULL,
  photos_enabled boolean NOT NULL,
  source_name text,
  source_url text,
  boosted_until timestamp with time zone,
  images jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  revision integer DEFAULT 0 NOT NULL,
  calendar_sequence integer DEFAULT 0 NOT NULL,
  cancelled_at timestamp with time zone,
  version bigint DEFAULT nextval('versions'::regclass) NOT NULL,
  removed_at timestamp with time zone,
  apply_key text,
  waitlist_mode text DEFAULT 'manual'::text NOT NULL,
  offer_hours integer DEFAULT 24 NOT NULL,
  offers_count integer DEFAULT 0 NOT NULL,
  CONSTRAINT events_cancelled_at CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
  CONSTRAINT events_capacity CHECK (((confirmed_count + 1) <= max_participants)),
  CONSTRAINT events_capacity_with_offers CHECK ((((confirmed_count + 1) + offers_count) <= max_participants)),
  CONSTRAINT events_check CHECK ((ends_at > starts_at)),
  CONSTRAINT events_check1 CHECK (((latitude IS NULL) = (longitude IS NULL))),
  CONSTRAINT events_check2 CHECK ((age_min <= age_max)),
  CONSTRAINT events_check3 CHECK (((join_mode = 'password'::text) = (join_password_sealed IS NOT NULL))),
  CONSTRAINT events_confirmed_count_check CHECK ((confirmed_count >= 0)),
  CONSTRAINT events_gender_restriction_check CHECK ((gender_restriction = ANY (ARRAY['male'::text, 'female'::text]))),
  CONSTRAINT events_group_fk FOREIGN KEY (group_id) REFERENCES all_groups(id) ON DELETE SET NULL,
  CONSTRAINT events_join_mode_check CHECK ((join_mode = ANY (ARRAY['open'::text, 'password'::text, 'tickets'::text, 'request'::text]))),
  CONSTRAINT events_offer_hours CHECK (((offer_hours >= 1) AND (offer_hours <= 168))),
  CONSTRAINT events_offers_count CHECK ((offers_count >= 0)),
  CONSTRAINT events_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES users(id),
  CONSTRAINT events_pkey PRIMARY KEY (id),
  CONSTRAINT events_series FOREIGN KEY (series_id) REFERENCES all_series(id),
  CONSTRAINT events_series_id_series_index_key UNIQUE (series_id, series_index),
  CONSTRAINT events_series_place CHECK (((series_id IS NULL) = (series_index IS NULL))),
  CONSTRAINT events_status_check CHECK ((status = ANY (ARRAY['active'::text, 'cancelled'::text]))),
  CONSTRAINT events_ticket_price_credits_check CHECK ((ticket_price_credits >= 0)),
  CONSTRAINT events_waitlist_mode CHECK ((waitlist_mode = ANY (ARRAY['manual'::text, 'auto'::text, 'offer'::text])))
);

CREATE TABLE event_images (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  key text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  is_primary boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT event_images_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT event_images_key_fkey FOREIGN KEY (key) REFERENCES media_files(key),
  CONSTRAINT event_images_pkey PRIMARY KEY (id)
);

CREATE TABLE event_imports (
  user_id bigint NOT NULL,
  imported_at timestamp with time zone[] NOT NULL,
  CONSTRAINT event_imports_pkey PRIMARY KEY (user_id),
  CONSTRAINT event_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX events_apply_key ON all_events USING btree (organizer_id, apply_key) WHERE (apply_key IS NOT NULL);

CREATE INDEX events_group ON all_events USING btree (group_id, starts_at, id) WHERE (group_id IS NOT NULL);

CREATE INDEX events_organizer ON all_events USING btree (organizer_id, starts_at, id);

CREATE INDEX events_passing_seats_on ON all_events USING btree (starts_at) WHERE ((waitlist_mode <> 'manual'::text) AND (status = 'active'::text));

CREATE INDEX events_removed ON all_events USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE INDEX events_sealed ON all_events USING btree (id) WHERE (join_password_sealed IS NOT NULL);

CREATE INDEX events_series_start ON all_events USING btree (series_id, starts_at, id) WHERE (series_id IS NOT NULL);

CREATE INDEX event_images_event ON event_images USING btree (event_id, id);

CREATE INDEX event_images_key ON event_images USING btree (key);

CREATE UNIQUE INDEX event_images_one_primary ON event_images USING btree (event_id) WHERE is_primary;

CREATE TRIGGER changes_are_recorded AFTER INSERT ON all_events FOR EACH ROW EXECUTE FUNCTION record_event();

CREATE TRIGGER changes_are_recorded_deleted BEFORE DELETE ON all_events FOR EACH ROW EXECUTE FUNCTION record_event();

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_events FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION record_event();

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF organizer_id ON all_events FOR EACH ROW WHEN ((old.organizer_id IS DISTINCT FROM new.organizer_id)) EXECUTE FUNCTION record_event_handover();

CREATE TRIGGER changes_without_version_are_recorded AFTER UPDATE OF ticket_price_credits, source_name, source_url, boosted_until ON all_events FOR EACH ROW WHEN (((((old.ticket_price_credits IS DISTINCT FROM new.ticket_price_credits) OR (old.source_name IS DISTINCT FROM new.source_name)) OR (old.source_url IS DISTINCT FROM new.source_url)) OR (old.boosted_until IS DISTINCT FROM new.boosted_until))) EXECUTE FUNCTION record_event();

CREATE TRIGGER deletion_is_notified AFTER DELETE ON all_events FOR EACH ROW EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER events_are_live AFTER INSERT ON all_events FOR EACH ROW WHEN ((new.is_public AND (new.status = 'active'::text))) EXECUTE FUNCTION live_events_follow();

CREATE TRIGGER events_calendar_sequence BEFORE UPDATE OF status, starts_at, ends_at, location_name, location_address, latitude, longitude ON all_events FOR EACH ROW WHEN ((((((((old.starts_at IS DISTINCT FROM new.starts_at) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.location_name IS DISTINCT FROM new.location_name)) OR (old.location_address IS DISTINCT FROM new.location_address)) OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION events_calendar_sequence();

CREATE TRIGGER events_cancelled_from_the_start BEFORE INSERT ON all_events FOR EACH ROW WHEN ((new.status = 'cancelled'::text)) EXECUTE FUNCTION events_calendar_sequence();

CREATE TRIGGER events_change_live AFTER UPDATE OF organizer_id, status, title, description, type, starts_at, ends_at, location_name, location_address, latitude, longitude, is_public, seeking_company, source_name, boosted_until, price_czk, ticket_price_credits, group_id, series_id ON all_events FOR EACH ROW WHEN ((((old.is_public AND (old.status = 'active'::text)) OR (new.is_public AND (new.status = 'active'::text))) AND (((((((((((((((((((old.is_public IS DISTINCT FROM new.is_public) OR (old.status IS DISTINCT FROM new.status)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.boosted_until IS DISTINCT FROM new.boosted_until)) OR (old.organizer_id IS DISTINCT FROM new.organizer_id)) OR (old.type IS DISTINCT FROM new.type)) OR (old.source_name IS DISTINCT FROM new.source_name)) OR (old.seeking_company IS DISTINCT FROM new.seeking_company)) OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)) OR (old.title IS DISTINCT FROM new.title)) OR (old.description IS DISTINCT FROM new.description)) OR (old.location_name IS DISTINCT FROM new.location_name)) OR (old.location_address IS DISTINCT FROM new.location_address)) OR (old.price_czk IS DISTINCT FROM new.price_czk)) OR (old.ticket_price_credits IS DISTINCT FROM new.ticket_price_credits)) OR (old.group_id IS DISTINCT FROM new.group_id)) OR (old.series_id IS DISTINCT FROM new.series_id)))) EXECUTE FUNCTION live_events_follow();

CREATE TRIGGER events_count_live AFTER UPDATE ON all_events FOR EACH ROW WHEN (((old.confirmed_count <> new.confirmed_count) AND new.is_public AND (new.status = 'active'::text))) EXECUTE FUNCTION live_events_participants();

CREATE TRIGGER events_removal_live AFTER UPDATE OF removed_at ON all_events FOR EACH ROW WHEN ((old.removed_at IS DISTINCT FROM new.removed_at)) EXECUTE FUNCTION live_events_follow();

CREATE TRIGGER events_revision BEFORE UPDATE ON all_events FOR EACH ROW WHEN ((old.confirmed_count = new.confirmed_count)) EXECUTE FUNCTION events_next_revision();

CREATE TRIGGER events_version BEFORE UPDATE ON all_events FOR EACH ROW WHEN ((old.confirmed_count = new.confirmed_count)) EXECUTE FUNCTION give_version('{id, organizer_id, series_id, series_index, over_at, confirmed_count, created_at, updated_at, revision, calendar_sequence, cancelled_at, version, removed_at, apply_key, offers_count}', '{ticket_price_credits, source_name, source_url, boosted_until}');

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at, is_public ON all_events FOR EACH ROW WHEN ((((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL)) OR (old.is_public AND (NOT new.is_public)))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER reminders_are_planned AFTER INSERT ON all_events FOR EACH ROW WHEN (((new.status = 'active'::text) AND (new.starts_at > new.updated_at))) EXECUTE FUNCTION plan_reminders();

CREATE TRIGGER reminders_are_planned_again AFTER UPDATE OF starts_at ON all_events FOR EACH ROW WHEN (((old.starts_at <> new.starts_at) AND (new.status = 'active'::text))) EXECUTE FUNCTION plan_reminders();

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_events FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_visibility_of_events();

CREATE VIEW events AS
 SELECT id,
    organizer_id,
    group_id,
    series_id,
    series_index,
    status,
    title,
    description,
    type,
    starts_at,
    ends_at,
    over_at,
    location_name,
    location_address,
    latitude,
    longitude,
    is_public,
    join_mode,
    join_password_sealed,
    max_participants,
    confirmed_count,
    seeking_company,
    age_min,
    age_max,
    gender_restriction,
    price_czk,
    price_note,
    ticket_url,
    ticket_price_credits,
    photos_enabled,
    source_name,
    source_url,
    boosted_until,
    images,
    created_at,
    updated_at,
    revision,
    calendar_sequence,
    cancelled_at,
    version,
    waitlist_mode,
    offer_hours,
    offers_count
   FROM all_events a
  WHERE ((removed_at IS NULL) AND (NOT ((series_id IS NOT NULL) AND (EXISTS ( SELECT
           FROM all_series s
          WHERE ((s.id = a.series_id) AND (s.removed_at IS NOT NULL))
         OFFSET 0)))) AND (NOT ((status = 'active'::text) AND (over_at > now()) AND (EXISTS ( SELECT
           FROM users u
          WHERE ((u.id = a.organizer_id) AND is_banned(u.banned, u.banned_until))
         OFFSET 0)))));

CREATE OR REPLACE FUNCTION events_calendar_sequence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    NEW.calendar_sequence := OLD.calendar_sequence + 1;
    NEW.cancelled_at := CASE WHEN NEW.status = 'cancelled' THEN coalesce(OLD.cancelled_at, NEW.updated_at) END;
  ELSE
    NEW.cancelled_at := NEW.updated_at;
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION events_next_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION has_event_by_group(event bigint, person bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM group_members m
    WHERE m.user_id = person AND m.joined_at IS NOT NULL AND EXISTS (SELECT FROM groups g WHERE g.id = m.group_id)
      AND m.group_id IN (SELECT e.group_id FROM events e WHERE e.id = event UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = event)
      FOR KEY SHARE OF m;
  RETURN FOUND;
END $function$
;

CREATE OR REPLACE FUNCTION is_out_by_ban(event all_events)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT event.status = 'active' AND event.over_at > now() AND EXISTS (SELECT FROM users u WHERE u.id = event.organizer_id AND is_banned(u.banned, u.banned_until))
$function$
;

CREATE OR REPLACE FUNCTION record_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_change('event', NEW.id, 'event.created', NEW.id, NULL, NEW.group_id, NEW.organizer_id);
    IF NEW.series_id IS NOT NULL THEN
      PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
    END IF;
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM record_change('account', OLD.organizer_id, 'event.gone', OLD.id, NULL, NULL, OLD.organizer_id);
    IF OLD.is_public THEN
      PERFORM record_event_gone_for_members(OLD.id, OLD.organizer_id, OLD.group_id, NULL);
    END IF;
    IF OLD.series_id IS NOT NULL THEN
      PERFORM record_update('account', OLD.organizer_id, 'series.updated', OLD.series_id);
      -- The other occurrences refer to the first occurrence, so they change when the first one is deleted.
      IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = OLD.series_id AND e.series_index < OLD.series_index) THEN
        PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = OLD.series_id AND e.id <> OLD.id ORDER BY e.id;
      END IF;
    END IF;
    RETURN OLD;
  END IF;
  IF NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN
    PERFORM record_change('event', NEW.id, 'event.cancelled', NEW.id);
  ELSE
    PERFORM record_update('event', NEW.id, 'event.updated', NEW.id);
  END IF;
  IF OLD.is_public AND NOT NEW.is_public THEN
    PERFORM record_event_gone_for_members(NEW.id, NEW.organizer_id, OLD.group_id, NULL);
  ELSIF NEW.is_public AND NOT OLD.is_public THEN
    PERFORM record_listing(NEW.id);
  END IF;
  IF NEW.series_id IS NOT NULL AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at) THEN
    PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_event_gone_for_members(event bigint, organizer bigint, own_group bigint, one_group bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, person_id, counted)
  SELECT DISTINCT 'account', m.user_id, 'event.gone', event, organizer, false
    FROM group_members m
   WHERE m.joined_at IS NOT NULL AND m.user_id <> organizer AND EXISTS (SELECT FROM groups g WHERE g.id = m.group_id)
     AND m.group_id IN (SELECT own_group WHERE one_group IS NULL UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = event AND one_group IS NULL
                        UNION ALL SELECT one_group)
     AND NOT EXISTS (SELECT FROM participations p WHERE p.event_id = event AND p.user_id = m.user_id
                        AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested', 'banned'))
     AND (one_group IS NULL OR NOT has_event_by_group(event, m.user_id))
$function$
;

CREATE OR REPLACE FUNCTION record_event_handover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_update('event', NEW.id, 'event.updated', NEW.id);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_part_of_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  part record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  change_type text := TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.created' WHEN 'UPDATE' THEN '.updated' ELSE '.gone' END;
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM events e WHERE e.id = part.event_id) THEN RETURN NULL; END IF;
  CASE TG_TABLE_NAME
    WHEN 'tickets' THEN PERFORM record_change('event', part.event_id, change_type, part.id, part.code);
    WHEN 'itineraries' THEN PERFORM record_change('event', part.event_id, change_type, part.event_id);
    -- Payments have no type of change of their own. A payment is recorded as a change of the expense list.
    WHEN 'expense_payments' THEN PERFORM record_change('event', part.event_id, 'expense.updated', part.id, 'payment');
    ELSE PERFORM record_change('event', part.event_id, change_type, part.id);
  END CASE;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_event(event bigint, gone boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  hidden record;
BEGIN
  -- The field `event` of a post about this event is set only while the event is visible.
  PERFORM record_update('account', p.author_id, 'post.updated', p.id, p.slug) FROM posts p WHERE p.event_id = event ORDER BY p.id;
  -- Notices show the text of a message only while the event is visible.
  PERFORM record_message_notices(m.id) FROM all_event_messages m WHERE m.event_id = event AND m.removed_at IS NULL ORDER BY m.id;
  PERFORM record_notices_about_comments(event, NULL);
  IF NOT gone THEN
    PERFORM record_change('event', event, 'event.updated', event);
    PERFORM record_listing(event);
    RETURN;
  END IF;
  SELECT organizer_id, is_public, group_id INTO hidden FROM all_events WHERE id = event;
  PERFORM record_change('account', hidden.organizer_id, 'event.gone', event, NULL, NULL, hidden.organizer_id);
  PERFORM record_change('account', p.user_id, 'event.gone', event, NULL, NULL, hidden.organizer_id)
     FROM participations p WHERE p.event_id = event AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested') ORDER BY p.user_id;
  IF hidden.is_public THEN
    PERFORM record_event_gone_for_members(event, hidden.organizer_id, hidden.group_id, NULL);
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.removed_at IS NOT NULL AND NOT is_out_by_ban(NEW) AND NOT EXISTS (SELECT FROM all_series s WHERE s.id = NEW.series_id AND s.removed_at IS NOT NULL) OR EXISTS (SELECT FROM events e WHERE e.id = NEW.id) THEN
    PERFORM record_visibility_of_event(NEW.id, NEW.removed_at IS NOT NULL);
    IF NEW.series_id IS NOT NULL THEN
      PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
      IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = NEW.series_id AND e.series_index < NEW.series_index) THEN
        PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = NEW.series_id AND e.id <> NEW.id ORDER BY e.id;
      END IF;
    END IF;
  END IF;
  RETURN NULL;
END $function$
;

-- notifications

CREATE TABLE event_changes (
  event_id bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  location_name text,
  location_address text,
  latitude double precision,
  longitude double precision,
  CONSTRAINT event_changes_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT event_changes_pkey PRIMARY KEY (event_id)
);

CREATE TABLE event_reminders (
  event_id bigint NOT NULL,
  start_set_at timestamp with time zone NOT NULL,
  look_at timestamp with time zone NOT NULL,
  CONSTRAINT event_reminders_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT event_reminders_pkey PRIMARY KEY (event_id)
);

CREATE TABLE mail_choices (
  user_id bigint NOT NULL,
  key text NOT NULL,
  stopped text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT mail_choices_key_key UNIQUE (key),
  CONSTRAINT mail_choices_pkey PRIMARY KEY (user_id),
  CONSTRAINT mail_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE notifications (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  event_id bigint,
  event_title text,
  event_starts_at timestamp with time zone,
  person_id bigint,
  created_at timestamp with time zone NOT NULL,
  queued_at timestamp with time zone,
  mailed_at timestamp with time zone,
  refunded_credits bigint DEFAULT 0 NOT NULL,
  read_at timestamp with time zone,
  subject_type text DEFAULT 'event'::text NOT NULL,
  subject_id bigint,
  words jsonb DEFAULT '{}'::jsonb NOT NULL,
  people bigint[],
  thread_id bigint,
  post_id bigint,
  CONSTRAINT notifications_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id),
  CONSTRAINT notifications_pkey PRIMARY KEY (id),
  CONSTRAINT notifications_subject CHECK ((((subject_type = 'event'::text) = ((event_id IS NOT NULL) AND (event_title IS NOT NULL) AND (event_starts_at IS NOT NULL))) AND ((subject_type = 'event'::text) = (subject_id IS NULL)))),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX event_changes_changed ON event_changes USING btree (changed_at);

CREATE INDEX event_reminders_due ON event_reminders USING btree (look_at);

CREATE INDEX notifications_comment ON notifications USING btree (subject_id) WHERE (kind = 'comment'::text);

CREATE INDEX notifications_created ON notifications USING btree (created_at);

CREATE INDEX notifications_message ON notifications USING btree (subject_id) WHERE (kind = 'organizer_message'::text);

CREATE UNIQUE INDEX notifications_one_reminder ON notifications USING btree (event_id, user_id, event_starts_at) WHERE (kind = 'reminder'::text);

CREATE INDEX notifications_unqueued ON notifications USING btree (id) WHERE (queued_at IS NULL);

CREATE INDEX notifications_unread ON notifications USING btree (user_id, id) WHERE (read_at IS NULL);

CREATE UNIQUE INDEX notifications_unread_thread ON notifications USING btree (user_id, thread_id) WHERE ((kind = 'comment'::text) AND (read_at IS NULL));

CREATE INDEX notifications_user ON notifications USING btree (user_id, id);

CREATE TRIGGER changes_are_recorded AFTER INSERT ON notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_new_notices();

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON notifications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_updated_notices();

CREATE TRIGGER notices_are_pushed AFTER INSERT ON notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_push_messages();

CREATE OR REPLACE FUNCTION look_for_reminders_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE event_reminders r SET look_at = '-infinity'
    FROM participations p WHERE p.user_id = NEW.id AND p.status = 'confirmed' AND r.event_id = p.event_id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION plan_reminders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO event_reminders (event_id, start_set_at, look_at)
  VALUES (NEW.id, NEW.updated_at, NEW.starts_at - interval '48 hours')
  ON CONFLICT (event_id) DO UPDATE SET start_set_at = excluded.start_set_at, look_at = excluded.look_at;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_comment_notices(comment bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, n.subject_type, false, acting_account()
    FROM notifications n WHERE n.kind = 'comment' AND n.subject_id = comment ORDER BY n.id
$function$
;

CREATE OR REPLACE FUNCTION record_message_notices(message bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, n.subject_type, false, acting_account()
    FROM notifications n WHERE n.kind = 'organizer_message' AND n.subject_id = message ORDER BY n.id
$function$
;

CREATE OR REPLACE FUNCTION record_new_notices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.created', n.id, n.subject_type, false, NULL FROM new_rows n ORDER BY n.id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_notices_about_comments(event bigint, post bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  WITH roots AS (SELECT c.id FROM comments c WHERE c.event_id = event UNION ALL SELECT c.id FROM comments c WHERE c.post_id = post)
  SELECT record_comment_notices(quoted.id)
    FROM (SELECT id FROM roots UNION ALL SELECT c.id FROM roots r JOIN comments c ON c.root_id = r.id) quoted ORDER BY quoted.id
$function$
;

CREATE OR REPLACE FUNCTION record_updated_notices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, n.subject_type, false, acting_account() FROM new_rows n JOIN old_rows o USING (id)
   WHERE (n.read_at, n.person_id, n.words, n.people) IS DISTINCT FROM (o.read_at, o.person_id, o.words, o.people) ORDER BY n.id;
  RETURN NULL;
END $function$
;

-- statistics

CREATE TABLE event_days (
  event_id bigint NOT NULL,
  day date NOT NULL,
  what text NOT NULL,
  total integer NOT NULL,
  CONSTRAINT event_days_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT event_days_pkey PRIMARY KEY (event_id, day, what),
  CONSTRAINT event_days_what_check CHECK ((what = ANY (ARRAY['joined'::text, 'left'::text, 'waitlist_joined'::text, 'waitlist_promoted'::text, 'waitlist_left'::text, 'offers_made'::text, 'offers_accepted'::text, 'offers_declined'::text, 'offers_lapsed'::text])))
);

CREATE OR REPLACE FUNCTION count_event_day(event bigint, counted text, number integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO event_days AS d (event_id, day, what, total)
  SELECT e.id, (clock_timestamp() AT TIME ZONE 'Europe/Prague')::date, counted, number FROM all_events e WHERE e.id = event
  ON CONFLICT (event_id, day, what) DO UPDATE SET total = d.total + excluded.total;
END $function$
;

-- push

CREATE TABLE push_choices (
  user_id bigint NOT NULL,
  stopped text[] NOT NULL,
  CONSTRAINT push_choices_pkey PRIMARY KEY (user_id),
  CONSTRAINT push_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE push_keys (
  is_only boolean DEFAULT true NOT NULL,
  public_key text NOT NULL,
  private_key_sealed text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT push_keys_is_only_check CHECK (is_only),
  CONSTRAINT push_keys_pkey PRIMARY KEY (is_only)
);

CREATE TABLE push_messages (
  notice_id bigint NOT NULL,
  subscription_id uuid NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT push_messages_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notifications(id) ON DELETE CASCADE,
  CONSTRAINT push_messages_pkey PRIMARY KEY (notice_id, subscription_id)
);

CREATE TABLE push_subscriptions (
  id uuid NOT NULL,
  user_id bigint NOT NULL,
  session_id uuid NOT NULL,
  device_hash text,
  endpoint_hash text NOT NULL,
  subscription_sealed text NOT NULL,
  host text NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  busy_until timestamp with time zone,
  is_slow boolean DEFAULT false NOT NULL,
  served_at timestamp with time zone,
  CONSTRAINT push_subscriptions_endpoint_hash_check CHECK ((endpoint_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT push_subscriptions_endpoint_hash_key UNIQUE (endpoint_hash),
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX push_messages_created ON push_messages USING btree (created_at);

CREATE INDEX push_messages_next ON push_messages USING btree (next_attempt_at);

CREATE INDEX push_messages_subscription ON push_messages USING btree (subscription_id, next_attempt_at);

CREATE INDEX push_subscriptions_user ON push_subscriptions USING btree (user_id, created_at);

CREATE OR REPLACE FUNCTION queue_push_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO push_messages (notice_id, subscription_id, next_attempt_at, created_at)
  SELECT n.id, s.id, n.created_at, n.created_at FROM new_rows n JOIN push_subscriptions s ON s.user_id = n.user_id;
  RETURN NULL;
END $function$
;

-- apps

CREATE TABLE app_codes (
  hash text NOT NULL,
  kind text NOT NULL,
  app_id bigint NOT NULL,
  grant_id bigint,
  user_code_hash text,
  payload jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  CONSTRAINT app_codes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  CONSTRAINT app_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE,
  CONSTRAINT app_codes_kind_check CHECK ((kind = ANY (ARRAY['code'::text, 'device'::text, 'refresh'::text]))),
  CONSTRAINT app_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT app_codes_user_code_hash_key UNIQUE (user_code_hash)
);

CREATE TABLE app_consents (
  user_id bigint NOT NULL,
  app_id bigint NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT app_consents_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  CONSTRAINT app_consents_pkey PRIMARY KEY (user_id, app_id),
  CONSTRAINT app_consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE app_grants (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  app_id bigint NOT NULL,
  user_id bigint NOT NULL,
  scopes text[] NOT NULL,
  resources text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT app_grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  CONSTRAINT app_grants_pkey PRIMARY KEY (id),
  CONSTRAINT app_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE app_interactions (
  hash text NOT NULL,
  payload jsonb NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT app_interactions_pkey PRIMARY KEY (hash)
);

CREATE TABLE app_registrations (
  network text NOT NULL,
  registered_at timestamp with time zone[] NOT NULL,
  CONSTRAINT app_registrations_pkey PRIMARY KEY (network)
);

CREATE TABLE app_wrong_codes (
  user_id bigint NOT NULL,
  tries timestamp with time zone[] NOT NULL,
  CONSTRAINT app_wrong_codes_pkey PRIMARY KEY (user_id),
  CONSTRAINT app_wrong_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE apps (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  client_id text NOT NULL,
  origin text NOT NULL,
  user_id bigint,
  name text NOT NULL,
  homepage text,
  icon_key text,
  redirect_uris text[] NOT NULL,
  is_confidential boolean DEFAULT false NOT NULL,
  secret_hash text,
  former_secret_hash text,
  former_secret_until timestamp with time zone,
  ip_window integer,
  document_read_at timestamp with time zone,
  suspended_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT apps_client_id_key UNIQUE (client_id),
  CONSTRAINT apps_origin_check CHECK ((origin = ANY (ARRAY['developer'::text, 'registration'::text, 'document'::text]))),
  CONSTRAINT apps_pkey PRIMARY KEY (id),
  CONSTRAINT apps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX app_codes_app ON app_codes USING btree (app_id);

CREATE INDEX app_codes_expires ON app_codes USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX app_codes_grant ON app_codes USING btree (grant_id);

CREATE INDEX app_codes_used ON app_codes USING btree (used_at) WHERE (used_at IS NOT NULL);

CREATE INDEX app_consents_app ON app_consents USING btree (app_id);

CREATE INDEX app_grants_app ON app_grants USING btree (app_id);

CREATE INDEX app_grants_last_used ON app_grants USING btree (last_used_at);

CREATE INDEX app_grants_user ON app_grants USING btree (user_id, app_id);

CREATE INDEX app_interactions_expires ON app_interactions USING btree (expires_at);

CREATE INDEX apps_created ON apps USING btree (created_at) WHERE (origin <> 'developer'::text);

CREATE INDEX apps_user ON apps USING btree (user_id, id) WHERE (user_id IS NOT NULL);

-- participation

CREATE TABLE door_links (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  grant_id bigint,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT door_links_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT door_links_hash_key UNIQUE (hash),
  CONSTRAINT door_links_of_grant FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE,
  CONSTRAINT door_links_pkey PRIMARY KEY (id)
);

CREATE TABLE door_marks (
  event_id bigint NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  second bigint NOT NULL,
  ordinal bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  link_name text,
  CONSTRAINT door_marks_event_id_user_id_fkey FOREIGN KEY (event_id, user_id) REFERENCES participations(event_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE NOT VALID,
  CONSTRAINT door_marks_kind_check CHECK ((kind = ANY (ARRAY['scan'::text, 'undo'::text, 'check_in'::text, 'undo_check_in'::text]))),
  CONSTRAINT door_marks_pkey PRIMARY KEY (event_id, user_id, kind, second)
);

CREATE TABLE door_packs (
  event_id bigint NOT NULL,
  pack text NOT NULL,
  CONSTRAINT door_packs_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT door_packs_pkey PRIMARY KEY (event_id)
);

CREATE TABLE event_digests (
  event_id bigint NOT NULL,
  kind text NOT NULL,
  written_at timestamp with time zone NOT NULL,
  CONSTRAINT event_digests_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT event_digests_kind_check CHECK ((kind = ANY (ARRAY['joined'::text, 'waitlisted'::text]))),
  CONSTRAINT event_digests_pkey PRIMARY KEY (event_id, kind)
);

CREATE TABLE participations (
  event_id bigint NOT NULL,
  user_id bigint NOT NULL,
  status text NOT NULL,
  invited_at timestamp with time zone,
  requested_at timestamp with time zone,
  joined_at timestamp with time zone,
  checked_in_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  check_in_code text,
  ticket_code text,
  credit_hold_id bigint,
  related_since timestamp with time zone,
  digest text,
  waitlist_number integer,
  offer_expires_at timestamp with time zone,
  checked_in_by text,
  CONSTRAINT participations_check CHECK (((checked_in_at IS NULL) OR (status = 'confirmed'::text))),
  CONSTRAINT participations_credit_hold_id_fkey FOREIGN KEY (credit_hold_id) REFERENCES credit_holds(id),
  CONSTRAINT participations_digest_kind CHECK ((digest = ANY (ARRAY['joined'::text, 'waitlisted'::text]))) NOT VALID,
  CONSTRAINT participations_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT participations_offer CHECK (((offer_expires_at IS NULL) OR (status = 'waitlisted'::text))),
  CONSTRAINT participations_pkey PRIMARY KEY (event_id, user_id) INCLUDE (status),
  CONSTRAINT participations_status_check CHECK ((status = ANY (ARRAY['confirmed'::text, 'pending'::text, 'waitlisted'::text, 'requested'::text, 'declined'::text, 'banned'::text]))),
  CONSTRAINT participations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE tickets (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  code text NOT NULL,
  used_by bigint,
  used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT tickets_check CHECK (((used_by IS NULL) = (used_at IS NULL))),
  CONSTRAINT tickets_event_id_code_key UNIQUE (event_id, code),
  CONSTRAINT tickets_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT tickets_pkey PRIMARY KEY (id),
  CONSTRAINT tickets_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id)
);

CREATE TABLE wrong_passwords (
  event_id bigint NOT NULL,
  user_id bigint NOT NULL,
  guessed_at timestamp with time zone[] NOT NULL,
  CONSTRAINT wrong_passwords_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT wrong_passwords_pkey PRIMARY KEY (event_id, user_id),
  CONSTRAINT wrong_passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX door_links_event ON door_links USING btree (event_id, id);

CREATE INDEX door_links_grant ON door_links USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX participations_digest ON participations USING btree (event_id, digest) WHERE (digest IS NOT NULL);

CREATE INDEX participations_offers ON participations USING btree (offer_expires_at, event_id) WHERE (offer_expires_at IS NOT NULL);

CREATE INDEX participations_pending ON participations USING btree (event_id) WHERE (status = 'pending'::text);

CREATE INDEX participations_requested ON participations USING btree (event_id) WHERE (status = 'requested'::text);

CREATE INDEX participations_user ON participations USING btree (user_id, status) INCLUDE (event_id);

CREATE INDEX participations_waitlist ON participations USING btree (event_id, waitlist_number NULLS FIRST, created_at, user_id) WHERE (status = 'waitlisted'::text);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON participations FOR EACH ROW EXECUTE FUNCTION record_participation();

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON participations FOR EACH ROW WHEN ((((((((old.status IS DISTINCT FROM new.status) OR (old.invited_at IS DISTINCT FROM new.invited_at)) OR (old.requested_at IS DISTINCT FROM new.requested_at)) OR (old.joined_at IS DISTINCT FROM new.joined_at)) OR (old.checked_in_at IS DISTINCT FROM new.checked_in_at)) OR (old.ticket_code IS DISTINCT FROM new.ticket_code)) OR (old.offer_expires_at IS DISTINCT FROM new.offer_expires_at))) EXECUTE FUNCTION record_participation();

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF user_id ON participations FOR EACH ROW WHEN ((old.user_id IS DISTINCT FROM new.user_id)) EXECUTE FUNCTION record_seat_handover();

CREATE TRIGGER numbers_are_counted AFTER INSERT ON participations FOR EACH ROW WHEN ((new.status = ANY (ARRAY['confirmed'::text, 'waitlisted'::text]))) EXECUTE FUNCTION count_participation();

CREATE TRIGGER numbers_are_counted_changed AFTER UPDATE OF status ON participations FOR EACH ROW WHEN (((old.status <> new.status) AND ((old.status = ANY (ARRAY['confirmed'::text, 'waitlisted'::text])) OR (new.status = ANY (ARRAY['confirmed'::text, 'waitlisted'::text]))))) EXECUTE FUNCTION count_participation();

CREATE TRIGGER numbers_are_counted_ended AFTER DELETE ON participations FOR EACH ROW WHEN ((old.status = ANY (ARRAY['confirmed'::text, 'waitlisted'::text]))) EXECUTE FUNCTION count_participation();

CREATE TRIGGER participations_forget_door_marks AFTER UPDATE OF check_in_code ON participations FOR EACH ROW WHEN (((old.check_in_code IS NOT NULL) AND (old.check_in_code IS DISTINCT FROM new.check_in_code))) EXECUTE FUNCTION forget_door_marks();

CREATE TRIGGER participations_hide AFTER INSERT ON participations FOR EACH ROW WHEN ((new.status = 'banned'::text)) EXECUTE FUNCTION record_hidden_from_change();

CREATE TRIGGER participations_hide_or_show AFTER UPDATE ON participations FOR EACH ROW WHEN (((old.status = 'banned'::text) <> (new.status = 'banned'::text))) EXECUTE FUNCTION record_hidden_from_change();

CREATE TRIGGER participations_show AFTER DELETE ON participations FOR EACH ROW WHEN ((old.status = 'banned'::text)) EXECUTE FUNCTION record_hidden_from_change();

CREATE TRIGGER waitlist_entry_is_numbered BEFORE INSERT ON participations FOR EACH ROW WHEN ((new.status = 'waitlisted'::text)) EXECUTE FUNCTION number_waitlist_entry();

CREATE TRIGGER waitlist_entry_is_numbered_updated BEFORE UPDATE OF status ON participations FOR EACH ROW WHEN (((new.status = 'waitlisted'::text) AND (old.status <> 'waitlisted'::text))) EXECUTE FUNCTION number_waitlist_entry();

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE OR UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION record_part_of_event('ticket');

CREATE OR REPLACE FUNCTION count_participation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  event bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.event_id ELSE NEW.event_id END;
  was text := CASE WHEN TG_OP <> 'INSERT' THEN OLD.status ELSE '' END;
  becomes text := CASE WHEN TG_OP <> 'DELETE' THEN NEW.status ELSE '' END;
BEGIN
  IF becomes = 'confirmed' THEN PERFORM count_event_day(event, 'joined', 1); END IF;
  IF was = 'confirmed' THEN PERFORM count_event_day(event, 'left', 1); END IF;
  IF becomes = 'waitlisted' THEN PERFORM count_event_day(event, 'waitlist_joined', 1); END IF;
  IF was = 'waitlisted' THEN
    PERFORM count_event_day(event, CASE becomes WHEN 'confirmed' THEN 'waitlist_promoted' ELSE 'waitlist_left' END, 1);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION end_door_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM door_links WHERE event_id IN (SELECT id FROM all_events WHERE organizer_id = NEW.id);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION f_pending_requests(requester bigint, at_most bigint)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN (SELECT count(*) FROM (
    SELECT FROM participations r
     WHERE r.user_id = requester AND r.status = 'requested' AND EXISTS (SELECT FROM events e WHERE e.id = r.event_id AND e.status = 'active' AND e.over_at > now())
     LIMIT at_most) pending);
END $function$
;

CREATE OR REPLACE FUNCTION forget_door_marks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM door_marks WHERE event_id = OLD.event_id AND user_id = OLD.user_id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION number_waitlist_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.waitlist_number := (SELECT coalesce(max(p.waitlist_number), 0) + 1 FROM participations p WHERE p.event_id = NEW.event_id AND p.status = 'waitlisted');
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION record_moving_up(event bigint, place integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM participations p WHERE p.event_id = event AND p.status = 'waitlisted' AND p.waitlist_number > coalesce(place, 0)) THEN
    RETURN;
  END IF;
  UPDATE unnumbered_changes c SET parent_id = least(c.parent_id, coalesce(place, 0))
   WHERE c.xid = pg_current_xact_id() AND c.topic_kind = 'event' AND c.topic_id = event AND c.subject_text = 'waitlist';
  IF NOT FOUND THEN
    INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, counted)
    VALUES ('event', event, 'event.updated', event, 'waitlist', coalesce(place, 0), false);
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION record_participation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  event bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.event_id ELSE NEW.event_id END;
  person bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  was text := CASE WHEN TG_OP <> 'INSERT' THEN OLD.status END;
  becomes text := CASE WHEN TG_OP <> 'DELETE' THEN NEW.status END;
  was_in boolean := coalesce(was IN ('confirmed', 'pending', 'waitlisted', 'requested'), false);
  is_in boolean := coalesce(becomes IN ('confirmed', 'pending', 'waitlisted', 'requested'), false);
  event_organizer bigint;
  event_public boolean;
BEGIN
  IF is_in THEN
    INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, person_id, counted, by_id)
    VALUES ('event', event, CASE WHEN becomes = 'confirmed' AND was IS DISTINCT FROM 'confirmed' THEN 'participant.joined'
                                 WHEN TG_OP = 'INSERT' THEN 'participant.created' ELSE 'participant.updated' END,
      person, CASE WHEN was IS DISTINCT FROM becomes THEN person END, (becomes = 'confirmed') <> (was IS NOT DISTINCT FROM 'confirmed'), acting_account());
    -- An offer was made, accepted or ended, so the person's own view of the event has changed.
    IF TG_OP = 'UPDATE' AND OLD.offer_expires_at IS DISTINCT FROM NEW.offer_expires_at THEN
      PERFORM record_change('account', person, 'event.updated', event);
      IF becomes = 'confirmed' THEN
        PERFORM record_change('event', event, 'participant.updated', person);
      END IF;
    END IF;
    RETURN NULL;
  END IF;
  SELECT e.organizer_id, e.is_public INTO event_organizer, event_public FROM events e WHERE e.id = event;
  IF NOT FOUND THEN
    -- The event was deleted or is hidden (view `events`).
    IF was_in THEN PERFORM record_change('account', person, 'event.gone', event); END IF;
    RETURN NULL;
  END IF;
  PERFORM record_change('event', event, CASE TG_OP WHEN 'DELETE' THEN 'participant.gone' WHEN 'INSERT' THEN 'participant.created' ELSE 'participant.updated' END,
    person, NULL, NULL, NULL, was IS NOT DISTINCT FROM 'confirmed');
  IF was IS NOT DISTINCT FROM 'waitlisted' THEN
    PERFORM record_moving_up(event, OLD.waitlist_number);
  END IF;
  -- The feed of the person no longer contains the event, unless the event is public and linked with a group of the
  -- person. A person who is banned from the event does not see it through a group either.
  IF becomes IS NOT DISTINCT FROM 'banned' THEN
    IF was_in OR was IS DISTINCT FROM 'banned' AND event_public AND has_event_by_group(event, person) THEN
      PERFORM record_change('account', person, 'event.gone', event, NULL, NULL, event_organizer);
    END IF;
  ELSIF was_in AND NOT (event_public AND has_event_by_group(event, person)) THEN
    PERFORM record_change('account', person, 'event.gone', event, NULL, NULL, event_organizer);
  ELSIF was = 'banned' AND event_public AND has_event_by_group(event, person) THEN
    -- The ban from the event has ended, and the person sees the event again through a group.
    PERFORM record_change('account', person, 'event.updated', event);
  ELSIF was_in THEN
    -- The person left, but a group still shows the event: the viewer-specific part of the event has changed.
    PERFORM record_change('account', person, 'event.updated', event);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_seat_handover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_change('event', NEW.event_id, 'participant.updated', NEW.user_id, counted => NEW.status = 'confirmed');
  RETURN NULL;
END $function$
;

-- messages

CREATE TABLE all_event_messages (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  text text NOT NULL,
  sent_to text NOT NULL,
  recipients integer NOT NULL,
  day date NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT all_event_messages_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT all_event_messages_pkey PRIMARY KEY (id),
  CONSTRAINT all_event_messages_sent_to_check CHECK ((sent_to = ANY (ARRAY['confirmed'::text, 'waitlisted'::text, 'requested'::text, 'all'::text])))
);

CREATE TABLE event_message_recipients (
  message_id bigint NOT NULL,
  user_id bigint NOT NULL,
  CONSTRAINT event_message_recipients_message_id_fkey FOREIGN KEY (message_id) REFERENCES all_event_messages(id) ON DELETE CASCADE,
  CONSTRAINT event_message_recipients_pkey PRIMARY KEY (message_id, user_id),
  CONSTRAINT event_message_recipients_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX all_event_messages_event ON all_event_messages USING btree (event_id, id);

CREATE INDEX event_message_recipients_user ON event_message_recipients USING btree (user_id);

CREATE TRIGGER notices_follow_the_message AFTER UPDATE OF removed_at ON all_event_messages FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_notices_of_message();

CREATE TRIGGER notices_outlive_the_message AFTER DELETE ON all_event_messages FOR EACH ROW EXECUTE FUNCTION record_notices_of_message();

CREATE VIEW event_messages AS
 SELECT id,
    event_id,
    text,
    sent_to,
    recipients,
    created_at
   FROM all_event_messages a
  WHERE ((removed_at IS NULL) AND (EXISTS ( SELECT
           FROM events e
          WHERE (e.id = a.event_id)
         OFFSET 0)));

CREATE OR REPLACE FUNCTION record_notices_of_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_message_notices(OLD.id);
  RETURN NULL;
END $function$
;

-- discover

CREATE TABLE hidden_from_changes (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  noted_at timestamp with time zone DEFAULT now() NOT NULL,
  user_id bigint NOT NULL
);

CREATE TABLE live_event_changes (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  noted_at timestamp with time zone DEFAULT now() NOT NULL,
  sign smallint NOT NULL,
  over_at timestamp with time zone NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  type text NOT NULL,
  imported boolean NOT NULL,
  seeking boolean NOT NULL,
  participants integer NOT NULL,
  x double precision,
  y double precision,
  z double precision,
  cell integer,
  folded text NOT NULL,
  id bigint,
  organizer_id bigint,
  counted_in boolean DEFAULT false NOT NULL,
  free boolean,
  group_id bigint,
  series_id bigint,
  latitude double precision,
  longitude double precision,
  folded_text text
);

CREATE TABLE live_events (
  id bigint NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  over_at timestamp with time zone NOT NULL,
  boosted_until timestamp with time zone,
  organizer_id bigint NOT NULL,
  type text NOT NULL,
  imported boolean NOT NULL,
  seeking boolean NOT NULL,
  participants integer NOT NULL,
  x double precision,
  y double precision,
  z double precision,
  cell integer,
  folded text NOT NULL,
  free boolean,
  group_id bigint,
  series_id bigint,
  latitude double precision,
  longitude double precision,
  created_at timestamp with time zone,
  folded_text text,
  CONSTRAINT live_events_id_fkey FOREIGN KEY (id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT live_events_pkey PRIMARY KEY (id)
) WITH (fillfactor=85);

CREATE TABLE live_grams (
  gram text NOT NULL,
  events integer NOT NULL,
  CONSTRAINT live_grams_pkey PRIMARY KEY (gram)
);

CREATE TABLE live_words (
  word text NOT NULL,
  events integer NOT NULL,
  CONSTRAINT live_words_pkey PRIMARY KEY (word)
);

CREATE INDEX hidden_from_changes_noted ON hidden_from_changes USING btree (noted_at);

CREATE INDEX hidden_from_changes_user ON hidden_from_changes USING btree (user_id, xid);

CREATE INDEX live_event_changes_fresh ON live_event_changes USING btree (id) WHERE (NOT counted_in);

CREATE INDEX live_event_changes_noted ON live_event_changes USING btree (noted_at);

CREATE INDEX live_event_changes_xid ON live_event_changes USING btree (xid);

CREATE INDEX live_events_boosted ON live_events USING btree (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z) WHERE (boosted_until IS NOT NULL);

CREATE INDEX live_events_boosts ON live_events USING btree (boosted_until) WHERE (boosted_until IS NOT NULL);

CREATE INDEX live_events_cell ON live_events USING btree (cell, starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z);

CREATE INDEX live_events_created ON live_events USING btree (created_at DESC, id DESC) INCLUDE (over_at, boosted_until, organizer_id);

CREATE INDEX live_events_group ON live_events USING btree (group_id, starts_at, id) WHERE (group_id IS NOT NULL);

CREATE INDEX live_events_incomplete ON live_events USING btree (id) WHERE ((created_at IS NULL) OR (folded_text IS NULL));

CREATE INDEX live_events_nearest ON live_events USING gist (f_on_sphere(latitude, longitude)) WHERE (latitude IS NOT NULL);

CREATE INDEX live_events_of_organizer ON live_events USING btree (organizer_id, starts_at, id) INCLUDE (over_at, boosted_until, type, imported, seeking, x, y, z);

CREATE INDEX live_events_over ON live_events USING btree (over_at);

CREATE INDEX live_events_paid ON live_events USING btree (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id) WHERE (NOT free);

CREATE INDEX live_events_seeking ON live_events USING btree (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, x, y, z) WHERE seeking;

CREATE INDEX live_events_series ON live_events USING btree (series_id, starts_at, id) WHERE (series_id IS NOT NULL);

CREATE INDEX live_events_start ON live_events USING btree (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z);

CREATE INDEX live_events_type ON live_events USING btree (type, starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, imported, seeking, x, y, z);

CREATE INDEX live_events_words ON live_events USING gin (f_words(folded)) WITH (fastupdate='on', gin_pending_list_limit='1024');

CREATE INDEX live_words_gone ON live_words USING btree (word) WHERE (events = 0);

CREATE INDEX live_words_grams ON live_words USING gin (f_grams(word)) WITH (fastupdate=off);

CREATE INDEX live_words_long ON live_words USING btree (word) WHERE (length(word) >= 100);

CREATE TRIGGER live_events_change AFTER UPDATE OF starts_at, over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z, cell, folded, free, group_id, series_id, latitude, longitude, folded_text ON live_events FOR EACH ROW WHEN ((((((((((((((((((old.organizer_id IS DISTINCT FROM new.organizer_id) OR (old.over_at IS DISTINCT FROM new.over_at)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.type IS DISTINCT FROM new.type)) OR (old.imported IS DISTINCT FROM new.imported)) OR (old.seeking IS DISTINCT FROM new.seeking)) OR (old.cell IS DISTINCT FROM new.cell)) OR (old.x IS DISTINCT FROM new.x)) OR (old.y IS DISTINCT FROM new.y)) OR (old.z IS DISTINCT FROM new.z)) OR (old.folded IS DISTINCT FROM new.folded)) OR (old.free IS DISTINCT FROM new.free)) OR (old.group_id IS DISTINCT FROM new.group_id)) OR (old.series_id IS DISTINCT FROM new.series_id)) OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)) OR (old.folded_text <> new.folded_text) OR ((old.boosted_until IS DISTINCT FROM new.boosted_until) AND ((new.boosted_until IS NOT NULL) OR (old.boosted_until > now()))))) EXECUTE FUNCTION record_live_event_change();

CREATE TRIGGER live_events_come_and_go AFTER INSERT OR DELETE ON live_events FOR EACH ROW EXECUTE FUNCTION record_live_event_change();

CREATE VIEW listable_events AS
 SELECT id,
    starts_at,
    over_at,
    boosted_until,
    organizer_id,
    type,
    (source_name IS NOT NULL) AS imported,
    seeking_company AS seeking,
    (confirmed_count + 1) AS participants,
    (cosd(latitude) * cosd(longitude)) AS x,
    (cosd(latitude) * sind(longitude)) AS y,
    sind(latitude) AS z,
    (((floor(((latitude + (90)::double precision) * (10)::double precision)) * (10000)::double precision) + floor(((longitude + (180)::double precision) * (10)::double precision))))::integer AS cell,
    (' '::text || f_fold_words(concat_ws(' '::text, title, f_visible_text(description), location_name, location_address))) AS folded,
    ((COALESCE(price_czk, (0)::numeric) = (0)::numeric) AND (COALESCE(ticket_price_credits, 0) = 0)) AS free,
    group_id,
    series_id,
    latitude,
    longitude,
    date_trunc('milliseconds'::text, created_at) AS created_at,
    concat_ws('
'::text, f_fold_text(title), f_fold_text(f_visible_text(description)), f_fold_text(concat_ws(' '::text, location_name, location_address))) AS folded_text
   FROM all_events e
  WHERE (is_public AND (status = 'active'::text) AND (removed_at IS NULL) AND (NOT (EXISTS ( SELECT
           FROM all_series s
          WHERE ((s.id = e.series_id) AND (s.removed_at IS NOT NULL))))) AND (NOT (EXISTS ( SELECT
           FROM users u
          WHERE ((u.id = e.organizer_id) AND is_banned(u.banned, u.banned_until))))));

CREATE OR REPLACE FUNCTION f_gram_total(text, timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
DECLARE
  asked text := f_fold_words($1);
  part text := '%' || asked || '%';
BEGIN
  IF asked !~ '^[^ ]{1,2}$' OR asked <> f_fold_text($1) THEN
    RETURN NULL;
  END IF;
  RETURN coalesce((SELECT events FROM live_grams g WHERE g.gram = asked), 0)
    + coalesce((SELECT sum(sign) FROM live_event_changes c WHERE NOT c.counted_in AND c.folded LIKE part), 0)
    - (SELECT count(*) FROM (SELECT folded FROM live_events WHERE over_at <= $2 OFFSET 0) l WHERE l.folded LIKE part);
END $function$
;

CREATE OR REPLACE FUNCTION live_events_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- For one organizer, this function and live_events_of_person (which runs when the organizer's account is banned or
  -- unbanned) never run at the same time: the later call waits until the transaction of the earlier call ends. The key
  -- of a lock has only 32 bits, so the lock uses the id modulo 2^31.
  PERFORM pg_advisory_xact_lock_shared(185, (NEW.organizer_id % 2147483648)::integer);
  IF NOT EXISTS (SELECT FROM listable_events WHERE id = NEW.id) THEN
    DELETE FROM live_events WHERE id = NEW.id;
    RETURN NULL;
  END IF;
  INSERT INTO live_events SELECT * FROM listable_events WHERE id = NEW.id
  ON CONFLICT (id) DO UPDATE SET
    (starts_at, over_at, boosted_until, organizer_id, type, imported, seeking, participants, x, y, z, cell, folded, free, group_id, series_id, latitude, longitude, created_at, folded_text) =
    (EXCLUDED.starts_at, EXCLUDED.over_at, EXCLUDED.boosted_until, EXCLUDED.organizer_id, EXCLUDED.type, EXCLUDED.imported, EXCLUDED.seeking,
     EXCLUDED.participants, EXCLUDED.x, EXCLUDED.y, EXCLUDED.z, EXCLUDED.cell, EXCLUDED.folded,
     EXCLUDED.free, EXCLUDED.group_id, EXCLUDED.series_id, EXCLUDED.latitude, EXCLUDED.longitude, EXCLUDED.created_at, EXCLUDED.folded_text);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION live_events_of_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(185, (NEW.id % 2147483648)::integer);
  DELETE FROM live_events WHERE NEW.banned AND organizer_id = NEW.id;
  INSERT INTO live_events SELECT * FROM listable_events WHERE organizer_id = NEW.id ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION live_events_of_series()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM live_events WHERE NEW.removed_at IS NOT NULL AND id IN (SELECT id FROM all_events WHERE series_id = NEW.id);
  INSERT INTO live_events SELECT l.* FROM listable_events l JOIN all_events e ON e.id = l.id WHERE e.series_id = NEW.id ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION live_events_participants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE live_events SET participants = NEW.confirmed_count + 1 WHERE id = NEW.id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION live_words_recount()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  LOCK TABLE live_event_changes, live_words, live_grams IN EXCLUSIVE MODE;
  DELETE FROM live_words;
  DELETE FROM live_grams;
  UPDATE live_event_changes SET counted_in = true WHERE NOT counted_in;
  INSERT INTO live_words (word, events)
  SELECT word, count(*) FROM live_events, LATERAL (SELECT DISTINCT left(w, 100) AS word FROM unnest(string_to_array(folded, ' ')) AS w WHERE w <> '') w GROUP BY word;
  INSERT INTO live_grams (gram, events)
  SELECT gram, sum(n) FROM (SELECT count(*) AS n, folded FROM live_events GROUP BY folded) texts, unnest(f_grams(folded)) AS gram GROUP BY gram;
END $function$
;

CREATE OR REPLACE FUNCTION record_hidden_from_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_TABLE_NAME = 'user_blocks' THEN
    INSERT INTO hidden_from_changes (user_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.blocked_id ELSE NEW.blocked_id END);
  ELSE
    INSERT INTO hidden_from_changes (user_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_live_event_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO live_event_changes (sign, over_at, starts_at, type, imported, seeking, participants, x, y, z, cell, folded, id, organizer_id,
      free, group_id, series_id, latitude, longitude, folded_text)
    VALUES (-1, OLD.over_at, OLD.starts_at, OLD.type, OLD.imported, OLD.seeking, OLD.participants, OLD.x, OLD.y, OLD.z, OLD.cell, OLD.folded, OLD.id, OLD.organizer_id,
      OLD.free, OLD.group_id, OLD.series_id, OLD.latitude, OLD.longitude, OLD.folded_text);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO live_event_changes (sign, over_at, starts_at, type, imported, seeking, participants, x, y, z, cell, folded, id, organizer_id,
      free, group_id, series_id, latitude, longitude, folded_text)
    VALUES (1, NEW.over_at, NEW.starts_at, NEW.type, NEW.imported, NEW.seeking, NEW.participants, NEW.x, NEW.y, NEW.z, NEW.cell, NEW.folded, NEW.id, NEW.organizer_id,
      NEW.free, NEW.group_id, NEW.series_id, NEW.latitude, NEW.longitude, NEW.folded_text);
  END IF;
  RETURN NULL;
END $function$
;

-- series

CREATE TABLE all_series (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  organizer_id bigint NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  frequency text NOT NULL,
  "interval" integer NOT NULL,
  until date,
  occurrences_limit integer,
  duration_minutes integer,
  template jsonb NOT NULL,
  generated integer NOT NULL,
  next_start timestamp with time zone,
  cancelled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version bigint DEFAULT nextval('versions'::regclass) NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT series_check CHECK (((until IS NULL) OR (occurrences_limit IS NULL))),
  CONSTRAINT series_check1 CHECK (((cancelled_at IS NULL) OR (next_start IS NULL))),
  CONSTRAINT series_duration_minutes_check CHECK ((duration_minutes > 0)),
  CONSTRAINT series_frequency_check CHECK ((frequency = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text]))),
  CONSTRAINT series_generated_check CHECK ((generated >= 0)),
  CONSTRAINT series_interval_check CHECK (("interval" > 0)),
  CONSTRAINT series_occurrences_limit_check CHECK ((occurrences_limit > 0)),
  CONSTRAINT series_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES users(id),
  CONSTRAINT series_pkey PRIMARY KEY (id),
  CONSTRAINT series_template_check CHECK ((jsonb_typeof(template) = 'object'::text))
);

CREATE INDEX series_due ON all_series USING btree (next_start) WHERE (next_start IS NOT NULL);

CREATE INDEX series_organizer ON all_series USING btree (organizer_id, id);

CREATE INDEX series_removed ON all_series USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON all_series FOR EACH ROW EXECUTE FUNCTION record_series();

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_series FOR EACH ROW WHEN (((old.version <> new.version) OR (((((old.until IS DISTINCT FROM new.until) OR (old.occurrences_limit IS DISTINCT FROM new.occurrences_limit)) OR (old.duration_minutes IS DISTINCT FROM new.duration_minutes)) OR (old.generated IS DISTINCT FROM new.generated)) OR (old.next_start IS DISTINCT FROM new.next_start)))) EXECUTE FUNCTION record_series();

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_series FOR EACH ROW WHEN (((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER series_removal_live AFTER UPDATE OF removed_at ON all_series FOR EACH ROW WHEN ((old.removed_at IS DISTINCT FROM new.removed_at)) EXECUTE FUNCTION live_events_of_series();

CREATE TRIGGER series_version BEFORE UPDATE ON all_series FOR EACH ROW EXECUTE FUNCTION give_version('{id, organizer_id, starts_at, frequency, interval, created_at, updated_at, version, removed_at}', '{until, occurrences_limit, duration_minutes, generated, next_start}');

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_series FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_visibility_of_series();

CREATE VIEW series AS
 SELECT id,
    organizer_id,
    starts_at,
    frequency,
    "interval",
    until,
    occurrences_limit,
    duration_minutes,
    template,
    generated,
    next_start,
    cancelled_at,
    created_at,
    updated_at,
    version
   FROM all_series a
  WHERE (removed_at IS NULL);

CREATE OR REPLACE FUNCTION record_series()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM record_change('account', NEW.organizer_id, 'series.created', NEW.id);
    WHEN 'UPDATE' THEN PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.id);
    ELSE PERFORM record_change('account', OLD.organizer_id, 'series.gone', OLD.id);
  END CASE;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_series()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_change('account', NEW.organizer_id, CASE WHEN NEW.removed_at IS NULL THEN 'series.updated' ELSE 'series.gone' END, NEW.id);
  PERFORM record_visibility_of_event(e.id, NEW.removed_at IS NOT NULL) FROM all_events e
    WHERE e.series_id = NEW.id AND e.removed_at IS NULL
      AND (NEW.removed_at IS NOT NULL AND NOT is_out_by_ban(e) OR EXISTS (SELECT FROM events seen WHERE seen.id = e.id)) ORDER BY e.id;
  RETURN NULL;
END $function$
;

-- group-events

CREATE TABLE group_interests (
  group_id bigint NOT NULL,
  event_id bigint NOT NULL,
  added_by bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT group_interests_added_by_fkey FOREIGN KEY (added_by) REFERENCES users(id),
  CONSTRAINT group_interests_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT group_interests_group_id_fkey FOREIGN KEY (group_id) REFERENCES all_groups(id) ON DELETE CASCADE,
  CONSTRAINT group_interests_pkey PRIMARY KEY (group_id, event_id)
);

CREATE INDEX group_interests_event ON group_interests USING btree (event_id);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON group_interests FOR EACH ROW EXECUTE FUNCTION record_interest();

CREATE OR REPLACE FUNCTION record_interest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  organizer bigint;
  event_public boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_change('group', NEW.group_id, 'event.updated', NEW.event_id);
    PERFORM record_change('group', NEW.group_id, 'event.updated', NEW.event_id, 'listed');
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM groups g WHERE g.id = OLD.group_id) THEN RETURN NULL; END IF;
  SELECT e.organizer_id, e.is_public INTO organizer, event_public FROM events e WHERE e.id = OLD.event_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM record_change('group', OLD.group_id, 'event.updated', OLD.event_id);
  IF event_public THEN
    PERFORM record_event_gone_for_members(OLD.event_id, organizer, NULL, OLD.group_id);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_listing(event bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_change('group', i.group_id, 'event.updated', event, 'listed') FROM group_interests i WHERE i.event_id = event ORDER BY i.group_id;
END $function$
;

-- posts

CREATE TABLE all_posts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  author_id bigint NOT NULL,
  event_id bigint,
  slug text NOT NULL,
  title text NOT NULL,
  excerpt text,
  body text NOT NULL,
  categories text[] NOT NULL,
  location text,
  status text NOT NULL,
  cover_key text,
  published_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version bigint DEFAULT nextval('versions'::regclass) NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT posts_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT posts_categories_check CHECK ((cardinality(categories) > 0)),
  CONSTRAINT posts_check CHECK (((status = 'published'::text) = (published_at IS NOT NULL))),
  CONSTRAINT posts_cover_key_fkey FOREIGN KEY (cover_key) REFERENCES media_files(key),
  CONSTRAINT posts_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE SET NULL,
  CONSTRAINT posts_pkey PRIMARY KEY (id),
  CONSTRAINT posts_slug_key UNIQUE (slug),
  CONSTRAINT posts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text])))
);

CREATE INDEX posts_author ON all_posts USING btree (author_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX posts_cover ON all_posts USING btree (cover_key) WHERE (cover_key IS NOT NULL);

CREATE INDEX posts_event ON all_posts USING btree (event_id) WHERE (event_id IS NOT NULL);

CREATE INDEX posts_published ON all_posts USING btree (published_at DESC, id DESC) WHERE (status = 'published'::text);

CREATE INDEX posts_removed ON all_posts USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE INDEX posts_words ON all_posts USING gin (f_folded(title, excerpt, location) gin_trgm_ops) WHERE (status = 'published'::text);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON all_posts FOR EACH ROW EXECUTE FUNCTION record_post();

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_posts FOR EACH ROW WHEN (((old.version <> new.version) OR (old.published_at IS DISTINCT FROM new.published_at))) EXECUTE FUNCTION record_post();

CREATE TRIGGER deletion_is_notified AFTER DELETE ON all_posts FOR EACH ROW EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_posts FOR EACH ROW WHEN (((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER posts_version BEFORE UPDATE ON all_posts FOR EACH ROW EXECUTE FUNCTION give_version('{id, author_id, slug, created_at, updated_at, version, removed_at}', '{published_at}');

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_posts FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_visibility_of_posts();

CREATE VIEW posts AS
 SELECT id,
    author_id,
    event_id,
    slug,
    title,
    excerpt,
    body,
    categories,
    location,
    status,
    cover_key,
    published_at,
    created_at,
    updated_at,
    version
   FROM all_posts a
  WHERE ((removed_at IS NULL) AND (NOT (EXISTS ( SELECT
           FROM users u
          WHERE ((u.id = a.author_id) AND is_banned(u.banned, u.banned_until))
         OFFSET 0))));

CREATE OR REPLACE FUNCTION record_post()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM record_change('account', NEW.author_id, 'post.created', NEW.id, NEW.slug);
    WHEN 'UPDATE' THEN PERFORM record_update('account', NEW.author_id, 'post.updated', NEW.id, NEW.slug);
    ELSE PERFORM record_change('account', OLD.author_id, 'post.gone', OLD.id, OLD.slug);
  END CASE;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_posts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_change('account', NEW.author_id, CASE WHEN NEW.removed_at IS NULL THEN 'post.updated' ELSE 'post.gone' END, NEW.id, NEW.slug);
  PERFORM record_notices_about_comments(NULL, NEW.id);
  RETURN NULL;
END $function$
;

-- comments

CREATE TABLE all_comments (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint,
  post_id bigint,
  root_id bigint,
  author_id bigint NOT NULL,
  body text,
  image_key text,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  emptied boolean DEFAULT false NOT NULL,
  CONSTRAINT comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT comments_check CHECK ((num_nonnulls(event_id, post_id, root_id) = 1)),
  CONSTRAINT comments_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT comments_image_key_fkey FOREIGN KEY (image_key) REFERENCES media_files(key),
  CONSTRAINT comments_pkey PRIMARY KEY (id),
  CONSTRAINT comments_post_id_fkey FOREIGN KEY (post_id) REFERENCES all_posts(id) ON DELETE CASCADE,
  CONSTRAINT comments_root_id_fkey FOREIGN KEY (root_id) REFERENCES all_comments(id) ON DELETE CASCADE,
  CONSTRAINT comments_says_something CHECK ((emptied OR (body IS NOT NULL) OR (image_key IS NOT NULL))) NOT VALID
);

CREATE TABLE comment_rates (
  user_id bigint NOT NULL,
  sent_at timestamp with time zone[] NOT NULL,
  CONSTRAINT comment_rates_pkey PRIMARY KEY (user_id),
  CONSTRAINT comment_rates_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX comments_author ON all_comments USING btree (author_id);

CREATE INDEX comments_event ON all_comments USING btree (event_id, id) WHERE (event_id IS NOT NULL);

CREATE UNIQUE INDEX comments_image ON all_comments USING btree (image_key) WHERE (image_key IS NOT NULL);

CREATE INDEX comments_post ON all_comments USING btree (post_id, id) WHERE (post_id IS NOT NULL);

CREATE INDEX comments_removed ON all_comments USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE INDEX comments_replies ON all_comments USING btree (root_id, id) WHERE (root_id IS NOT NULL);

CREATE TRIGGER changes_are_recorded AFTER INSERT ON all_comments FOR EACH ROW EXECUTE FUNCTION record_comment();

CREATE TRIGGER changes_are_recorded_deleted BEFORE DELETE ON all_comments FOR EACH ROW EXECUTE FUNCTION record_comment();

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF author_id ON all_comments FOR EACH ROW WHEN ((old.author_id IS DISTINCT FROM new.author_id)) EXECUTE FUNCTION record_comment_handover();

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_comments FOR EACH ROW WHEN (((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_comments FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_visibility_of_comments();

CREATE VIEW comments AS
 SELECT id,
    event_id,
    post_id,
    root_id,
    author_id,
    body,
    image_key,
    created_at,
    emptied
   FROM all_comments a
  WHERE ((removed_at IS NULL) AND (NOT ((root_id IS NOT NULL) AND (EXISTS ( SELECT
           FROM all_comments r
          WHERE ((r.id = a.root_id) AND (r.removed_at IS NOT NULL))
         OFFSET 0)))));

CREATE OR REPLACE FUNCTION record_comment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  this all_comments := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  root all_comments := this;
  author bigint;
  change_type text := CASE TG_OP WHEN 'INSERT' THEN 'comment.created' ELSE 'comment.gone' END;
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM record_comment_notices(this.id); END IF;
  IF this.root_id IS NOT NULL THEN
    SELECT * INTO root FROM all_comments c WHERE c.id = this.root_id;
    -- The root was deleted before this reply. The trigger on the root has already recorded the deletion of the reply.
    IF NOT FOUND THEN RETURN this; END IF;
  END IF;
  IF root.event_id IS NOT NULL THEN
    IF TG_OP = 'INSERT' OR EXISTS (SELECT FROM events e WHERE e.id = root.event_id) THEN
      PERFORM record_change('event', root.event_id, change_type, this.id);
      IF TG_OP = 'DELETE' AND this.root_id IS NULL THEN
        PERFORM record_change('event', root.event_id, change_type, c.id) FROM comments c WHERE c.root_id = this.id ORDER BY c.id;
      END IF;
    END IF;
    RETURN this;
  END IF;
  SELECT p.author_id INTO author FROM posts p WHERE p.id = root.post_id;
  IF NOT FOUND THEN RETURN this; END IF;
  PERFORM record_change('account', author, change_type, this.id, NULL, root.post_id);
  IF TG_OP = 'DELETE' AND this.root_id IS NULL THEN
    PERFORM record_change('account', author, change_type, c.id, NULL, root.post_id) FROM comments c WHERE c.root_id = this.id ORDER BY c.id;
  END IF;
  RETURN this;
END $function$
;

CREATE OR REPLACE FUNCTION record_comment_handover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  root record;
  author bigint;
BEGIN
  SELECT c.event_id, c.post_id INTO root FROM all_comments c WHERE c.id = coalesce(NEW.root_id, NEW.id);
  SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
  PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), 'comment.updated', NEW.id, NULL, root.post_id);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_visibility_of_comments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  change_type text := CASE WHEN NEW.removed_at IS NULL THEN 'comment.created' ELSE 'comment.gone' END;
  root record;
  author bigint;
BEGIN
  SELECT id, event_id, post_id, removed_at INTO root FROM all_comments WHERE id = coalesce(NEW.root_id, NEW.id);
  IF NEW.root_id IS NOT NULL AND root.removed_at IS NOT NULL THEN RETURN NULL; END IF;
  SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
  PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), change_type, c.id, NULL, root.post_id)
     FROM all_comments c WHERE c.id = NEW.id OR c.root_id = NEW.id AND c.removed_at IS NULL ORDER BY c.id;
  PERFORM record_comment_notices(c.id) FROM all_comments c WHERE c.id = NEW.id OR c.root_id = NEW.id AND c.removed_at IS NULL;
  RETURN NULL;
END $function$
;

-- expenses

CREATE TABLE expense_payments (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  sender_id bigint NOT NULL,
  receiver_id bigint NOT NULL,
  entered_by bigint NOT NULL,
  amount_cents integer NOT NULL,
  currency text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT expense_payments_amount_cents_check CHECK ((amount_cents > 0)),
  CONSTRAINT expense_payments_check CHECK ((sender_id <> receiver_id)),
  CONSTRAINT expense_payments_check1 CHECK (((entered_by = sender_id) OR (entered_by = receiver_id))),
  CONSTRAINT expense_payments_currency_check CHECK ((currency = ANY (ARRAY['CZK'::text, 'EUR'::text, 'USD'::text]))),
  CONSTRAINT expense_payments_entered_by_fkey FOREIGN KEY (entered_by) REFERENCES users(id),
  CONSTRAINT expense_payments_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT expense_payments_pkey PRIMARY KEY (id),
  CONSTRAINT expense_payments_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES users(id),
  CONSTRAINT expense_payments_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id)
);

CREATE TABLE expense_shares (
  expense_id bigint NOT NULL,
  user_id bigint NOT NULL,
  amount_cents integer NOT NULL,
  CONSTRAINT expense_shares_amount_cents_check CHECK ((amount_cents >= 0)),
  CONSTRAINT expense_shares_expense_id_fkey FOREIGN KEY (expense_id) REFERENCES expenses(id) ON DELETE CASCADE,
  CONSTRAINT expense_shares_pkey PRIMARY KEY (expense_id, user_id),
  CONSTRAINT expense_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE expenses (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  title text NOT NULL,
  amount_cents integer NOT NULL,
  currency text NOT NULL,
  paid_by bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT expenses_amount_cents_check CHECK ((amount_cents > 0)),
  CONSTRAINT expenses_currency_check CHECK ((currency = ANY (ARRAY['CZK'::text, 'EUR'::text, 'USD'::text]))),
  CONSTRAINT expenses_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT expenses_paid_by_fkey FOREIGN KEY (paid_by) REFERENCES users(id),
  CONSTRAINT expenses_pkey PRIMARY KEY (id)
);

CREATE INDEX expense_payments_event ON expense_payments USING btree (event_id, id);

CREATE INDEX expense_payments_sender ON expense_payments USING btree (sender_id);

CREATE INDEX expenses_event ON expenses USING btree (event_id, id);

CREATE INDEX expenses_payer ON expenses USING btree (paid_by);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON expense_payments FOR EACH ROW EXECUTE FUNCTION record_part_of_event('payment');

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF sender_id, receiver_id ON expense_payments FOR EACH ROW WHEN (((old.sender_id IS DISTINCT FROM new.sender_id) OR (old.receiver_id IS DISTINCT FROM new.receiver_id))) EXECUTE FUNCTION record_expense_handover();

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF user_id ON expense_shares FOR EACH ROW WHEN ((old.user_id IS DISTINCT FROM new.user_id)) EXECUTE FUNCTION record_expense_handover();

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON expenses FOR EACH ROW EXECUTE FUNCTION record_part_of_event('expense');

CREATE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF paid_by ON expenses FOR EACH ROW WHEN ((old.paid_by IS DISTINCT FROM new.paid_by)) EXECUTE FUNCTION record_expense_handover();

CREATE OR REPLACE FUNCTION record_bank_account_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_update('event', owed.event_id, 'expense.updated', coalesce(owed.expense, owed.payment), CASE WHEN owed.expense IS NULL THEN 'payment' END)
     FROM (
       SELECT event_id, min(expense) AS expense, min(payment) AS payment
         FROM (
           SELECT event_id, currency, min(expense) AS expense, min(payment) AS payment, sum(amount_cents) AS given
             FROM (
               SELECT event_id, currency, id AS expense, NULL::bigint AS payment, amount_cents FROM expenses WHERE paid_by = NEW.id
               UNION ALL SELECT event_id, currency, NULL, id, amount_cents FROM expense_payments WHERE sender_id = NEW.id) entries
            GROUP BY event_id, currency) given
        WHERE given.given
              > (SELECT coalesce(sum(s.amount_cents), 0) FROM expenses x JOIN expense_shares s ON s.expense_id = x.id AND s.user_id = NEW.id
                  WHERE x.event_id = given.event_id AND x.currency = given.currency)
              + (SELECT coalesce(sum(y.amount_cents), 0) FROM expense_payments y
                  WHERE y.event_id = given.event_id AND y.currency = given.currency AND y.receiver_id = NEW.id)
        GROUP BY event_id) owed
    ORDER BY owed.event_id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION record_expense_handover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'expense_shares' THEN PERFORM record_update('event', e.event_id, 'expense.updated', e.id) FROM expenses e WHERE e.id = NEW.expense_id;
    WHEN 'expense_payments' THEN PERFORM record_change('event', NEW.event_id, 'expense.updated', NEW.id, 'payment');
    ELSE PERFORM record_update('event', NEW.event_id, 'expense.updated', NEW.id);
  END CASE;
  RETURN NULL;
END $function$
;

-- puls

CREATE TABLE all_puls_posts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  author_id bigint NOT NULL,
  body text,
  image_key text,
  video_key text,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  place cube GENERATED ALWAYS AS (f_on_sphere(latitude, longitude)) STORED NOT NULL,
  location_name text,
  likes_count integer DEFAULT 0 NOT NULL,
  paid boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT puls_posts_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT puls_posts_check CHECK (((body IS NOT NULL) OR (image_key IS NOT NULL) OR (video_key IS NOT NULL))),
  CONSTRAINT puls_posts_check1 CHECK (((image_key IS NULL) OR (video_key IS NULL))),
  CONSTRAINT puls_posts_image_key_fkey FOREIGN KEY (image_key) REFERENCES media_files(key),
  CONSTRAINT puls_posts_likes_count_check CHECK ((likes_count >= 0)),
  CONSTRAINT puls_posts_pkey PRIMARY KEY (id),
  CONSTRAINT puls_posts_video_key_fkey FOREIGN KEY (video_key) REFERENCES media_files(key)
);

CREATE INDEX puls_posts_around ON all_puls_posts USING gist (place) INCLUDE (expires_at, author_id, removed_at);

CREATE INDEX puls_posts_author ON all_puls_posts USING btree (author_id, created_at);

CREATE INDEX puls_posts_expiry ON all_puls_posts USING btree (expires_at);

CREATE INDEX puls_posts_image ON all_puls_posts USING btree (image_key) WHERE (image_key IS NOT NULL);

CREATE INDEX puls_posts_removed ON all_puls_posts USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE INDEX puls_posts_video ON all_puls_posts USING btree (video_key) WHERE (video_key IS NOT NULL);

CREATE VIEW puls_posts AS
 SELECT id,
    author_id,
    body,
    image_key,
    video_key,
    latitude,
    longitude,
    place,
    location_name,
    likes_count,
    paid,
    created_at,
    expires_at
   FROM all_puls_posts a
  WHERE ((removed_at IS NULL) AND (NOT (author_id IN ( SELECT u.id
           FROM users u
          WHERE is_banned(u.banned, u.banned_until)))));

-- gallery

CREATE TABLE all_gallery_photos (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  author_id bigint NOT NULL,
  key text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT gallery_photos_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT gallery_photos_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT gallery_photos_key_fkey FOREIGN KEY (key) REFERENCES media_files(key),
  CONSTRAINT gallery_photos_key_key UNIQUE (key),
  CONSTRAINT gallery_photos_pkey PRIMARY KEY (id)
);

CREATE INDEX gallery_photos_author ON all_gallery_photos USING btree (author_id, event_id);

CREATE INDEX gallery_photos_event ON all_gallery_photos USING btree (event_id, id);

CREATE INDEX gallery_photos_removed ON all_gallery_photos USING btree (id) WHERE (removed_at IS NOT NULL);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON all_gallery_photos FOR EACH ROW EXECUTE FUNCTION record_part_of_event('photo');

CREATE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_gallery_photos FOR EACH ROW WHEN (((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))) EXECUTE FUNCTION notify_out_of_sight();

CREATE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_gallery_photos FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION record_visibility_of_gallery_photos();

CREATE VIEW gallery_photos AS
 SELECT id,
    event_id,
    author_id,
    key,
    width,
    height,
    created_at
   FROM all_gallery_photos a
  WHERE (removed_at IS NULL);

CREATE OR REPLACE FUNCTION record_visibility_of_gallery_photos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM record_change('event', NEW.event_id, CASE WHEN NEW.removed_at IS NULL THEN 'photo.created' ELSE 'photo.gone' END, NEW.id);
  RETURN NULL;
END $function$
;

-- people

CREATE TABLE people_searches (
  user_id bigint NOT NULL,
  searched_at timestamp with time zone[] NOT NULL,
  CONSTRAINT people_searches_pkey PRIMARY KEY (user_id),
  CONSTRAINT people_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE people_words (
  part text COLLATE "C" NOT NULL,
  is_part boolean NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  folded text,
  shared smallint,
  CONSTRAINT people_words_pkey PRIMARY KEY (part, is_part, name, slug) INCLUDE (folded, shared)
);

CREATE INDEX people_words_old ON people_words USING btree (slug) WHERE (folded IS NULL);

CREATE OR REPLACE FUNCTION f_name_parts(text)
 RETURNS TABLE(part text, is_part boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT p.part, bool_and(p.is_part)
    FROM (SELECT left(w, 100) AS w FROM unnest(string_to_array(btrim($1), ' ')) AS w WHERE w <> '') words,
         LATERAL (VALUES (left(w, 2), true, length(w) > 2), (left(w, 3), true, length(w) > 3), (w, false, true))
           AS p (part, is_part, counts)
   WHERE p.counts GROUP BY p.part
$function$
;

CREATE OR REPLACE FUNCTION f_shared_letters(text, text)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT coalesce(max(n), 0)::smallint FROM unnest(string_to_array(btrim($1), ' ')) AS w, generate_series(1, length($2)) AS n
   WHERE left(w, 100) COLLATE "C" < $2 COLLATE "C" AND left(w, n) = left($2, n)
$function$
;

CREATE OR REPLACE FUNCTION people_words_delete(account users)
 RETURNS void
 LANGUAGE sql
AS $function$
  DELETE FROM people_words p USING f_name_parts(account.folded) n
   WHERE p.part = n.part AND p.is_part = n.is_part AND p.name = account.name AND p.slug = account.slug
$function$
;

CREATE OR REPLACE FUNCTION people_words_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.searchable AND NOT OLD.gone THEN
    PERFORM people_words_delete(OLD);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.searchable AND NOT NEW.gone THEN
    PERFORM people_words_insert(NEW);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION people_words_insert(account users)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO people_words (part, is_part, name, slug, folded, shared)
  SELECT n.part, n.is_part, account.name, account.slug, account.folded,
         CASE WHEN n.is_part THEN 0 ELSE f_shared_letters(account.folded, n.part) END
    FROM f_name_parts(account.folded) n
  ON CONFLICT DO NOTHING
$function$
;

CREATE OR REPLACE FUNCTION people_words_rewrite(batch integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  account users;
BEGIN
  FOR account IN SELECT * FROM users WHERE slug IN (SELECT w.slug FROM people_words w WHERE w.folded IS NULL LIMIT batch)
                    FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM people_words_delete(account);
    PERFORM people_words_insert(account);
    RETURN NEXT account.id;
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION users_fold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.folded := CASE WHEN NEW.gone THEN '' ELSE f_folded(NEW.name, NEW.nickname, NEW.slug) END;
  RETURN NEW;
END $function$
;

-- itinerary

CREATE TABLE itineraries (
  event_id bigint NOT NULL,
  title text NOT NULL,
  description text,
  is_public boolean NOT NULL,
  stops jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version bigint DEFAULT nextval('versions'::regclass) NOT NULL,
  CONSTRAINT itineraries_event_id_fkey FOREIGN KEY (event_id) REFERENCES all_events(id) ON DELETE CASCADE,
  CONSTRAINT itineraries_pkey PRIMARY KEY (event_id),
  CONSTRAINT itineraries_stops_check CHECK (((jsonb_typeof(stops) = 'array'::text) AND (jsonb_array_length(stops) > 0)))
);

CREATE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON itineraries FOR EACH ROW EXECUTE FUNCTION record_part_of_event('itinerary');

CREATE TRIGGER changes_are_recorded_updated AFTER UPDATE ON itineraries FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION record_part_of_event('itinerary');

CREATE TRIGGER itineraries_version BEFORE UPDATE ON itineraries FOR EACH ROW EXECUTE FUNCTION give_version('{event_id, created_at, version}', '{updated_at}');

-- moderation

CREATE TABLE content_removals (
  kind text NOT NULL,
  subject_id bigint NOT NULL,
  reason text NOT NULL,
  removed_at timestamp with time zone NOT NULL,
  removed_by bigint,
  CONSTRAINT content_removals_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'series'::text, 'group'::text, 'post'::text, 'comment'::text, 'photo'::text, 'puls'::text, 'message'::text]))),
  CONSTRAINT content_removals_pkey PRIMARY KEY (kind, subject_id),
  CONSTRAINT content_removals_reason_check CHECK ((reason <> ''::text)),
  CONSTRAINT content_removals_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES users(id) ON DELETE SET NULL
);

CREATE TABLE moderation_decisions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subject_type text NOT NULL,
  subject_id bigint NOT NULL,
  author_id bigint,
  action text NOT NULL,
  days integer,
  reason text NOT NULL,
  decided_by bigint,
  decided_at timestamp with time zone NOT NULL,
  objection_hash text,
  objection text,
  objected_at timestamp with time zone,
  objection_granted boolean,
  objection_answer text,
  objection_decided_at timestamp with time zone,
  subject_sent text,
  snapshot jsonb,
  objection_decided_by bigint,
  CONSTRAINT moderation_decisions_action_check CHECK ((action = ANY (ARRAY['dismiss'::text, 'remove'::text, 'warn'::text, 'ban'::text]))),
  CONSTRAINT moderation_decisions_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_decisions_check CHECK (((objection IS NULL) = (objected_at IS NULL))),
  CONSTRAINT moderation_decisions_check1 CHECK (((objection_granted IS NULL) = (objection_decided_at IS NULL))),
  CONSTRAINT moderation_decisions_check2 CHECK (((objection_granted IS NULL) OR (objection IS NOT NULL))),
  CONSTRAINT moderation_decisions_days_check CHECK ((days > 0)),
  CONSTRAINT moderation_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_decisions_objection_decided_by_fkey FOREIGN KEY (objection_decided_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_decisions_objection_hash_key UNIQUE (objection_hash),
  CONSTRAINT moderation_decisions_pkey PRIMARY KEY (id),
  CONSTRAINT moderation_decisions_reason_check CHECK ((reason <> ''::text))
);

CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  reporter_id bigint,
  reporter_email text,
  subject_type text NOT NULL,
  subject_id bigint NOT NULL,
  subject_sent text NOT NULL,
  author_id bigint,
  snapshot jsonb NOT NULL,
  reason text NOT NULL,
  note text,
  outcome text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  reporter_name text,
  reporter_locale text,
  answer_queued_at timestamp with time zone,
  answer_mailed_at timestamp with time zone,
  CONSTRAINT reports_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT reports_check CHECK (((outcome IS NULL) = (decided_at IS NULL))),
  CONSTRAINT reports_outcome_check CHECK ((outcome = ANY (ARRAY['dismissed'::text, 'removed'::text, 'warned'::text, 'banned'::text]))),
  CONSTRAINT reports_pkey PRIMARY KEY (id),
  CONSTRAINT reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT reports_subject_type_check CHECK ((subject_type = ANY (ARRAY['event'::text, 'series'::text, 'group'::text, 'post'::text, 'comment'::text, 'photo'::text, 'puls'::text, 'message'::text, 'user'::text])))
);

CREATE INDEX moderation_decisions_author ON moderation_decisions USING btree (author_id, id);

CREATE INDEX moderation_decisions_objected ON moderation_decisions USING btree (id) WHERE ((objection IS NOT NULL) AND (objection_granted IS NULL));

CREATE INDEX moderation_decisions_subject ON moderation_decisions USING btree (subject_type, subject_id);

CREATE INDEX reports_author ON reports USING btree (author_id) WHERE (author_id IS NOT NULL);

CREATE UNIQUE INDEX reports_one_open ON reports USING btree (reporter_id, subject_type, subject_id) WHERE ((outcome IS NULL) AND (reporter_id IS NOT NULL));

CREATE UNIQUE INDEX reports_one_open_by_mail ON reports USING btree (lower(reporter_email), subject_type, subject_id) WHERE ((outcome IS NULL) AND (reporter_email IS NOT NULL));

CREATE INDEX reports_open ON reports USING btree (subject_type, subject_id, id) WHERE (outcome IS NULL);

CREATE INDEX reports_reporter ON reports USING btree (reporter_id, id) WHERE (reporter_id IS NOT NULL);

CREATE INDEX reports_reporter_email ON reports USING btree (lower(reporter_email), created_at) WHERE (reporter_email IS NOT NULL);

CREATE INDEX reports_to_answer ON reports USING btree (id) WHERE ((reporter_email IS NOT NULL) AND (outcome IS NOT NULL) AND (answer_queued_at IS NULL));

CREATE OR REPLACE FUNCTION media_out_of_sight(file text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM event_images i WHERE i.key = file AND NOT EXISTS (SELECT FROM events e WHERE e.id = i.event_id))
    OR EXISTS (SELECT FROM all_groups a WHERE a.removed_at IS NOT NULL AND a.avatar_key = file)
    OR EXISTS (SELECT FROM all_groups a WHERE a.removed_at IS NOT NULL AND a.cover_key = file)
    OR EXISTS (SELECT FROM all_posts a WHERE a.cover_key = file AND NOT EXISTS (SELECT FROM posts p WHERE p.id = a.id))
    OR EXISTS (SELECT FROM all_puls_posts a WHERE file IN (a.image_key, a.video_key) AND NOT EXISTS (SELECT FROM puls_posts p WHERE p.id = a.id))
    OR EXISTS (SELECT FROM all_gallery_photos a WHERE a.key = file AND
         (a.removed_at IS NOT NULL OR NOT EXISTS (SELECT FROM events e WHERE e.id = a.event_id)))
    OR EXISTS (SELECT FROM all_comments a LEFT JOIN all_comments root ON root.id = a.root_id WHERE a.image_key = file AND
         (NOT EXISTS (SELECT FROM comments c WHERE c.id = a.id)
          OR coalesce(root.event_id, a.event_id) IS NOT NULL AND NOT EXISTS (SELECT FROM events e WHERE e.id = coalesce(root.event_id, a.event_id))
          OR coalesce(root.post_id, a.post_id) IS NOT NULL AND NOT EXISTS (SELECT FROM posts p WHERE p.id = coalesce(root.post_id, a.post_id))));
END $function$
;

-- calendars

CREATE TABLE calendar_addresses (
  user_id bigint NOT NULL,
  secret_sealed text NOT NULL,
  secret_hash text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT calendar_addresses_pkey PRIMARY KEY (user_id),
  CONSTRAINT calendar_addresses_secret_hash_check CHECK ((secret_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT calendar_addresses_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT calendar_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- changes

CREATE UNLOGGED TABLE change_holds (
  id uuid NOT NULL,
  account_id bigint NOT NULL,
  kind text NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT change_holds_kind_check CHECK ((kind = ANY (ARRAY['stream'::text, 'wait'::text]))),
  CONSTRAINT change_holds_pkey PRIMARY KEY (id)
);

CREATE INDEX change_holds_account ON change_holds USING btree (account_id, kind);

CREATE OR REPLACE FUNCTION take_change_hold(hold uuid, account bigint, held_kind text, most integer, seconds integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- The second key of the lock has 32 bits, but an id has 64. So two accounts may have the same key. The only
  -- effect is that a request of one account waits until a request of the other account has released the lock.
  PERFORM pg_advisory_xact_lock(hashtext('change_holds'), (account % 2147483648)::integer);
  DELETE FROM change_holds h WHERE h.account_id = account AND h.until < clock_timestamp();
  IF (SELECT count(*) FROM change_holds h WHERE h.account_id = account AND h.kind = held_kind) >= most THEN
    RETURN (SELECT greatest(1, ceil(extract(epoch FROM min(h.until) - clock_timestamp())))::integer FROM change_holds h WHERE h.account_id = account AND h.kind = held_kind);
  END IF;
  INSERT INTO change_holds (id, account_id, kind, until) VALUES (hold, account, held_kind, clock_timestamp() + make_interval(secs => seconds));
  RETURN NULL;
END $function$
;

-- webhooks

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  webhook_id bigint NOT NULL,
  message_id text NOT NULL,
  body text NOT NULL,
  is_test boolean DEFAULT false NOT NULL,
  is_asked boolean DEFAULT false NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  last_status integer,
  last_ms integer,
  answer text,
  first_attempt_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);

CREATE TABLE webhooks (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  url text NOT NULL,
  description text,
  types text[],
  status text DEFAULT 'active'::text NOT NULL,
  secret_sealed text NOT NULL,
  former_secret_sealed text,
  rotated_at timestamp with time zone,
  "position" text NOT NULL,
  sent_cursor text,
  seen_number bigint DEFAULT 0 NOT NULL,
  news_at timestamp with time zone,
  read_at timestamp with time zone,
  busy_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  is_slow boolean DEFAULT false NOT NULL,
  served_at timestamp with time zone,
  scopes text[] DEFAULT '{read}'::text[] NOT NULL,
  grant_id bigint,
  CONSTRAINT webhooks_of_grant FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text]))),
  CONSTRAINT webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (webhook_id) WHERE (status = 'failed'::text);

CREATE INDEX webhook_deliveries_open ON webhook_deliveries USING btree (webhook_id, id) WHERE ((status = 'pending'::text) OR is_asked);

CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (webhook_id, id);

CREATE INDEX webhooks_grant ON webhooks USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX webhooks_user ON webhooks USING btree (user_id, id);

-- requests

CREATE TABLE request_log (
  id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  user_id bigint NOT NULL,
  request_id text NOT NULL,
  method text NOT NULL,
  route text,
  path text NOT NULL,
  status smallint NOT NULL,
  code text,
  ms integer NOT NULL,
  bytes bigint NOT NULL,
  dry_run boolean NOT NULL,
  token_id bigint,
  token_name text,
  grant_id bigint,
  app_name text,
  user_agent text
) PARTITION BY RANGE (at);

CREATE INDEX request_log_account ON ONLY public.request_log USING btree (user_id, id);

-- own-data

CREATE TABLE account_erasures (
  user_id bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT account_erasures_pkey PRIMARY KEY (user_id),
  CONSTRAINT account_erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE data_exports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint,
  status text NOT NULL,
  file text NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  total integer DEFAULT 0 NOT NULL,
  bytes bigint,
  asked_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT data_exports_check CHECK (((status = 'ready'::text) = (bytes IS NOT NULL))),
  CONSTRAINT data_exports_check1 CHECK (((status = 'pending'::text) = (expires_at IS NULL))),
  CONSTRAINT data_exports_file_key UNIQUE (file),
  CONSTRAINT data_exports_pkey PRIMARY KEY (id),
  CONSTRAINT data_exports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text]))),
  CONSTRAINT data_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT data_exports_user_id_key UNIQUE (user_id)
);

CREATE INDEX account_erasures_due ON account_erasures USING btree (due_at);

CREATE INDEX data_exports_pending ON data_exports USING btree (id) WHERE (status = 'pending'::text);

-- Objects without an owner

CREATE SEQUENCE request_numbers;
