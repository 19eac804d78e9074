import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceBusy } from '../capacity/service-busy';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key that is derived from a secret, such as APP_SECRET, and the key of the former secret, if there is one. */
export class SealingKeys {
  private readonly key: Buffer;
  private readonly formerKey: Buffer | null;

  /**
   * @param formerSecret the secret before the last rotation. A server that was started before the rotation seals texts
   * with this secret until it is restarted with the new secret.
   */
  constructor(secret: string, formerSecret: string | null = null) {
    this.key = keyOf(secret);
    this.formerKey = formerSecret === null ? null : keyOf(formerSecret);
  }

  /**
   * Encrypts the text. Returns the nonce, the tag and the cipher text together in Base64. Each call returns a
   * different result, even for the same text.
   */
  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce);
    const sealed = cipher.update(text, 'utf8');
    // In this mode `final` returns no bytes, but it must be called before `getAuthTag`.
    cipher.final();
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Returns null if `sealed` was altered, or was not sealed with one of these keys. */
  open(sealed: string): string | null {
    return decrypt(sealed, this.key) ?? (this.formerKey && decrypt(sealed, this.formerKey));
  }
}

/** `Retry-After` in seconds: about the duration of a restart with the new secret. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Thrown if `secret rotate` has replaced the secret of this process. Until its restart, the process cannot open texts
 * that were sealed with the new secret (OPS-25).
 */
export class SecretReplaced extends ServiceBusy {
  constructor() {
    super(RETRY_AFTER_SECONDS);
    this.message = 'APP_SECRET was replaced by "secret rotate": restart this process with the new secret';
  }
}

/**
 * Encrypts and decrypts short stored secrets, for example the password that people need to join an event, the secrets
 * of webhooks, and the keys of stored responses and of the audit log.
 */
export class Sealer {
  private currentCheck: Promise<boolean> | null = null;

  /** @param isCurrent whether the secret of these keys is still the secret of the installation */
  constructor(
    private readonly keys: SealingKeys,
    private readonly isCurrent: () => Promise<boolean>,
  ) {}

  seal(text: string): string {
    return this.keys.seal(text);
  }

  /**
   * Returns null if no secret of the installation decrypts the text. Callers must expect this: the text is lost, but
   * the request must not fail (OPS-26).
   *
   * @throws SecretReplaced if the secret of this process was replaced. Another process may then be able to open the
   * text.
   */
  async open(sealed: string): Promise<string | null> {
    const text = this.keys.open(sealed);
    if (text === null && !(await this.isSecretCurrent())) throw new SecretReplaced();
    return text;
  }

  /** Whether `sealed` is a sealed form of `text`. */
  fits(sealed: string, text: string): boolean {
    return this.keys.open(sealed) === text;
  }

  /** Whether this process still has the secret of the installation. Concurrent calls share one query. */
  private isSecretCurrent(): Promise<boolean> {
    this.currentCheck ??= this.isCurrent().finally(() => (this.currentCheck = null));
    return this.currentCheck;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'sealed-columns', 32));
}

function decrypt(sealed: string, key: Buffer): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
