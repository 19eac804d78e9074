import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES = 256;

/** Encrypts short secrets at rest with a key made from APP_SECRET (join passwords: their owner reads them back). */
export class Sealer {
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

  /** null when the text was sealed with another secret or was changed: what nobody can read is as good as lost, and no defect. */
  open(sealed: string): string | null {
    return opened(sealed, this.key) ?? (this.formerKey && opened(sealed, this.formerKey));
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
