import { Injectable } from '@nestjs/common';
import { Sealer, SecretReplaced } from '#platform/config/sealer';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { ADD_KEYS, REPLACE_KEYS, SELECT_KEYS, type PushKeysRow } from './push.query';

/** The key pair by which push services recognize this service (RFC 8292). Both keys are encoded as base64url. */
export interface PushKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The key pair that all servers of an installation share, created at its first use (PUSH-8). */
@Injectable()
export class PushKeys {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the public key, with which browsers subscribe. If APP_SECRET was replaced, a process that still has the old
   * secret cannot decrypt the private key (`SecretReplaced`). This method then still returns the public key, because
   * the public key is not encrypted.
   */
  async publicKey(): Promise<string> {
    try {
      return (await this.pair()).publicKey;
    } catch (error) {
      const [stored] = error instanceof SecretReplaced ? await this.database.rows<PushKeysRow>(SELECT_KEYS) : [];
      if (stored) return stored.public_key;
      throw error;
    }
  }

  /**
   * Returns the key pair, and creates it at its first use. If the private key cannot be decrypted with APP_SECRET, the
   * pair is lost: a new pair replaces it, and all subscriptions end, because they need the lost pair.
   * @throws SecretReplaced if this process does not have the current secret, and so cannot decide whether the pair is
   * lost
   */
  async pair(): Promise<PushKeyPair> {
    for (;;) {
      const [stored] = await this.database.autocommit.rows<PushKeysRow>(SELECT_KEYS);
      const privateKey = stored ? await this.sealer.open(stored.private_key_sealed) : null;
      if (stored && privateKey !== null) return { publicKey: stored.public_key, privateKey };
      const fresh = await newPair();
      const values = [fresh.publicKey, this.sealer.seal(fresh.privateKey), this.clock.now()];
      // Another process may store its pair first, so the stored pair is read again.
      if (stored) await this.database.autocommit.rows(REPLACE_KEYS, [...values, stored.private_key_sealed]);
      else await this.database.autocommit.rows(ADD_KEYS, values);
    }
  }
}

async function newPair(): Promise<PushKeyPair> {
  const { default: webPush } = await import('web-push');
  return webPush.generateVAPIDKeys();
}
