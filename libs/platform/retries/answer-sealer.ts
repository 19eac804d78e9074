import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sealer, SealingKeys } from '../config/sealer';
import { Database } from '../database/database';
import { ADD_ANSWERS_KEY, SELECT_ANSWERS_KEY, REPLACE_ANSWERS_KEY } from './stored-responses.query';

const KEY_BYTES = 32;

/**
 * Encrypts stored responses, because they may contain a password, or a secret that is returned only once. All servers
 * share one encryption key.
 */
@Injectable()
export class AnswerSealer {
  private cachedKey: Promise<SealingKeys> | null = null;

  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Reads or creates the key if this server does not know it yet. Must be called before a transaction begins: within a
   * transaction, reading would need a second connection. If all connections of the pool belonged to such transactions,
   * each transaction would wait for a connection of another transaction.
   */
  async prepare(): Promise<void> {
    await this.key();
  }

  async seal(text: string): Promise<string> {
    return (await this.key()).seal(text);
  }

  /** Returns null if the text was encrypted with another key. */
  async open(sealed: string): Promise<string | null> {
    return (await this.key()).open(sealed);
  }

  private key(): Promise<SealingKeys> {
    this.cachedKey ??= this.readOrCreate().catch((error: unknown) => {
      this.cachedKey = null;
      throw error;
    });
    return this.cachedKey;
  }

  private async readOrCreate(): Promise<SealingKeys> {
    const stored = await this.storedKey();
    const key = stored === null ? null : await this.sealer.open(stored);
    if (key !== null) return new SealingKeys(key);
    const newKey = this.sealer.seal(randomBytes(KEY_BYTES).toString('base64'));
    // A key that cannot be opened is replaced.
    if (stored === null) await this.database.outsideTransaction.rows(ADD_ANSWERS_KEY, [newKey]);
    else await this.database.outsideTransaction.rows(REPLACE_ANSWERS_KEY, [newKey, stored]);
    // Another server may have stored its key first.
    const opened = await this.sealer.open((await this.storedKey()) ?? '');
    if (opened === null) throw new Error('the key of stored responses cannot be decrypted');
    return new SealingKeys(opened);
  }

  private async storedKey(): Promise<string | null> {
    const [row] = await this.database.outsideTransaction.rows<{ key_sealed: string }>(SELECT_ANSWERS_KEY);
    return row?.key_sealed ?? null;
  }
}
