import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceBusy } from '../capacity/service-busy';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES = 256;

/** The keys made from APP_SECRET and from the secret before it. */
export class SealingKeys {
  private readonly key: Buffer;
  private readonly formerKey: Buffer | null;

  /** @param formerSecret the one before the last change: opens what a server that was still running sealed with it. */
  constructor(secret: string, formerSecret: string | null = null) {
    this.key = keyOf(secret);
    this.formerKey = formerSecret === null ? null : keyOf(formerSecret);
  }

  /** Base64 of nonce, tag and cipher text; another each time. */
  seal(text: string): string {
    const nonce = newNonce();
    const cipher = createCipheriv(ALGORITHM, this.key, nonce);
    const sealed = cipher.update(text, 'utf8');
    cipher.final(); // adds nothing, in this mode, but without it there is no tag
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Null when the text was sealed with another secret, or was changed. */
  open(sealed: string): string | null {
    return opened(sealed, this.key) ?? (this.formerKey && opened(sealed, this.formerKey));
  }
}

/** Seconds after which a client may retry: a restart with the new secret takes about as long. */
const RETRY_AFTER_SECONDS = 10;

/** This process runs with a secret that `secret rotate` has replaced: it cannot read what is sealed until it is restarted (OPS-25). */
export class SecretReplaced extends ServiceBusy {
  constructor() {
    super(RETRY_AFTER_SECONDS);
    this.message = 'APP_SECRET was replaced by "secret rotate": restart this process with the new one';
  }
}

/** Encrypts short secrets at rest (join passwords, secrets of webhooks and of apps, the keys of kept answers and of the audit log). */
export class Sealer {
  private checking: Promise<boolean> | null = null;

  /** @param isCurrent whether the secret of these keys is still the installation's */
  constructor(
    private readonly keys: SealingKeys,
    private readonly isCurrent: () => Promise<boolean>,
  ) {}

  seal(text: string): string {
    return this.keys.seal(text);
  }

  /**
   * Null when no secret of the installation opens the text: it is lost, and that is no defect (OPS-26).
   * @throws SecretReplaced when another process may still open it
   */
  async open(sealed: string): Promise<string | null> {
    const text = this.keys.open(sealed);
    if (text === null && !(await this.check())) throw new SecretReplaced();
    return text;
  }

  /** Whether it is known that the sealed text says this. */
  fits(sealed: string, text: string): boolean {
    return this.keys.open(sealed) === text;
  }

  /** One query for all that ask at the same time. */
  private check(): Promise<boolean> {
    this.checking ??= this.isCurrent().finally(() => (this.checking = null));
    return this.checking;
  }
}

let drawn = Buffer.alloc(0);

/** Drawn for many at once: each draw costs a third of what is sealed with it. None is given twice. */
function newNonce(): Buffer {
  if (drawn.length < NONCE_BYTES) drawn = randomBytes(NONCES * NONCE_BYTES);
  const nonce = drawn.subarray(0, NONCE_BYTES);
  drawn = drawn.subarray(NONCE_BYTES);
  return nonce;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'sealed-columns', 32));
}

function opened(sealed: string, key: Buffer): string | null {
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
