import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the tables webhooks (addresses that get the changes of an account) and webhook_deliveries (the state of each
 * message).
 */
export class Webhooks0158 implements MigrationInterface {
  readonly name = 'Webhooks0000000000158';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhooks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        url text NOT NULL,
        description text,
        types text[],
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
        secret_sealed text NOT NULL,
        -- The previous secret. It also signs messages for a day after the rotation.
        former_secret_sealed text,
        rotated_at timestamptz,
        -- Two cursors of the feed: the next reading begins at the cursor in the column position, and the last message
        -- had the cursor in the column sent_cursor.
        position text NOT NULL,
        sent_cursor text,
        -- read_at: when the feed was last read. seen_number: the last number of the feed at that time. news_at: when
        -- this number was first seen.
        seen_number bigint NOT NULL DEFAULT 0,
        news_at timestamptz,
        read_at timestamptz,
        -- Until this time the webhook is reserved for one process; only this process sends its messages.
        busy_until timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE INDEX webhooks_user ON webhooks (user_id, id);

      CREATE TABLE webhook_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        webhook_id bigint NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
        message_id text NOT NULL,
        -- Exactly the bytes that are signed and sent.
        body text NOT NULL,
        -- Test messages are independent of the order of the feed.
        is_test boolean NOT NULL DEFAULT false,
        -- Whether a person has requested an immediate attempt.
        is_asked boolean NOT NULL DEFAULT false,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        last_status integer,
        last_ms integer,
        answer text,
        first_attempt_at timestamptz,
        next_attempt_at timestamptz,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);
      CREATE INDEX webhook_deliveries_open ON webhook_deliveries (webhook_id, id) WHERE status = 'pending' OR is_asked;
      CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_deliveries, webhooks');
  }
}
