import { Injectable } from '@nestjs/common';
import { Sealer, SecretReplaced } from '#platform/config/sealer';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { ADD_KEYS, REPLACE_KEYS, SELECT_KEYS, type PushKeysRow } from './push.query';

/** The key pair by which push services recognize this service (RFC 8292), base64url. */
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
   * The public key for browsers that subscribe. Also available if this process cannot decrypt the private key before a
   * restart.
   */
  async publicKey(): Promise<string> {
    try {
      return (await this.pair()).publicKey;
    } catch (error) {
      const [known] = error instanceof SecretReplaced ? await this.database.rows<PushKeysRow>(SELECT_KEYS) : [];
      if (known) return known.public_key;
      throw error;
    }
  }

  /**
   * If the private key cannot be decrypted with the secret, the key is lost: a new pair replaces it, and the
   * subscriptions with the old key end.
   * @throws SecretReplaced
   */
  async pair(): Promise<PushKeyPair> {
    for (;;) {
      const [known] = await this.database.autocommit.rows<PushKeysRow>(SELECT_KEYS);
      const privateKey = known ? await this.sealer.open(known.private_key_sealed) : null;
      if (known && privateKey !== null) return { publicKey: known.public_key, privateKey };
      const fresh = await newPair();
      const values = [fresh.publicKey, this.sealer.seal(fresh.privateKey), this.clock.now()];
      // Another process may store its pair first, so the stored pair is read again.
      if (known) await this.database.autocommit.rows(REPLACE_KEYS, [...values, known.private_key_sealed]);
      else await this.database.autocommit.rows(ADD_KEYS, values);
    }
  }
}

async function newPair(): Promise<PushKeyPair> {
  const { default: webPush } = await import('web-push');
  return webPush.generateVAPIDKeys();
}
