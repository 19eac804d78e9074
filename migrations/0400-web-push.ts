import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables push_keys, push_subscriptions, push_messages and push_choices, for push messages about notices
 * (docs/rules/push.md).
 */
export class WebPush0400 implements MigrationInterface {
  readonly name = 'WebPush0000000000400';
  readonly locks = ['notifications', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE push_keys (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        public_key text NOT NULL,
        private_key_sealed text NOT NULL,
        created_at timestamptz NOT NULL
      );

      CREATE TABLE push_subscriptions (
        id uuid PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- No foreign key: a subscription remains when its session expires.
        session_id uuid NOT NULL,
        -- SHA-256 of the id in the browser's cookie. A later session in the same browser finds the subscription by this
        -- hash.
        device_hash text,
        -- SHA-256 of the address of the subscription. No other subscription has this address.
        endpoint_hash text NOT NULL UNIQUE CHECK (endpoint_hash ~ '^[0-9a-f]{64}$'),
        -- Encrypted JSON of the address and the two keys.
        subscription_sealed text NOT NULL,
        host text NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        -- The next three columns have the same meaning as in the table webhooks.
        busy_until timestamptz,
        is_slow boolean NOT NULL DEFAULT false,
        served_at timestamptz
      );
      CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);

      -- No foreign key to the subscription: with a foreign key, the insertion of a notice could fail if the
      -- subscription is deleted at the same time. The job push-sweep deletes messages without a subscription.
      CREATE TABLE push_messages (
        notice_id bigint NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
        subscription_id uuid NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (notice_id, subscription_id)
      );
      CREATE INDEX push_messages_subscription ON push_messages (subscription_id, next_attempt_at);
      CREATE INDEX push_messages_next ON push_messages (next_attempt_at);
      CREATE INDEX push_messages_created ON push_messages (created_at);

      CREATE TABLE push_choices (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        stopped text[] NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE push_choices, push_messages, push_subscriptions, push_keys');
  }
}
