import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables for apps that are not part of the service: apps, app_grants, app_consents, app_tokens, app_codes,
 * app_interactions, app_wrong_codes and app_registrations. Codes and tokens are stored as hashes.
 */
export class ConnectedApps0430 implements MigrationInterface {
  readonly name = 'ConnectedApps0000000000430';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE apps (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- For an app with a metadata document: the address of the document. For other apps: a random text.
        client_id text NOT NULL UNIQUE,
        origin text NOT NULL CHECK (origin IN ('developer', 'registration', 'document')),
        -- The developer of an app with the origin 'developer'; null for other apps.
        user_id bigint REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        homepage text,
        icon_key text,
        redirect_uris text[] NOT NULL,
        is_confidential boolean NOT NULL DEFAULT false,
        secret_hash text,
        -- The secret before the last rotation, and the time until which it is accepted.
        former_secret_hash text,
        former_secret_until timestamptz,
        -- For confidential apps: maximum number of requests per minute. Null: the limit of the IP address applies.
        ip_window integer,
        document_read_at timestamptz,
        suspended_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE INDEX apps_user ON apps (user_id, id) WHERE user_id IS NOT NULL;
      CREATE INDEX apps_created ON apps (created_at) WHERE origin <> 'developer';

      CREATE TABLE app_grants (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        resources text[] NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz NOT NULL
      );
      CREATE INDEX app_grants_user ON app_grants (user_id, app_id);
      CREATE INDEX app_grants_app ON app_grants (app_id);
      CREATE INDEX app_grants_last_used ON app_grants (last_used_at);

      CREATE TABLE app_consents (
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, app_id)
      );
      CREATE INDEX app_consents_app ON app_consents (app_id);

      CREATE TABLE app_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        hash text NOT NULL UNIQUE,
        grant_id bigint NOT NULL REFERENCES app_grants (id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX app_tokens_grant ON app_tokens (grant_id);
      CREATE INDEX app_tokens_expires ON app_tokens (expires_at);

      CREATE TABLE app_codes (
        hash text PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('code', 'device', 'refresh')),
        app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
        -- Null for a device code that waits for a person's answer or was denied.
        grant_id bigint REFERENCES app_grants (id) ON DELETE CASCADE,
        -- Only for a device code: keyed hash of the code that the person types.
        user_code_hash text UNIQUE,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        -- Null for refresh tokens: they are valid as long as their grant.
        expires_at timestamptz,
        used_at timestamptz
      );
      CREATE INDEX app_codes_app ON app_codes (app_id);
      CREATE INDEX app_codes_grant ON app_codes (grant_id);
      CREATE INDEX app_codes_expires ON app_codes (expires_at) WHERE expires_at IS NOT NULL;
      CREATE INDEX app_codes_used ON app_codes (used_at) WHERE used_at IS NOT NULL;

      -- Authorizations that wait for a person's answer in a browser.
      CREATE TABLE app_interactions (
        hash text PRIMARY KEY,
        payload jsonb NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX app_interactions_expires ON app_interactions (expires_at);

      -- The times at which each person typed a wrong device code.
      CREATE TABLE app_wrong_codes (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        tries timestamptz[] NOT NULL
      );

      -- The times of accepted registrations, one row per network; the network is stored as a hash.
      CREATE TABLE app_registrations (
        network text PRIMARY KEY,
        registered_at timestamptz[] NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE app_registrations, app_wrong_codes, app_interactions, app_codes, app_tokens, app_consents, app_grants, apps',
    );
  }
}
