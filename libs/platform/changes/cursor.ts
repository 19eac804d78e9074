import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Snapshot } from './snapshot';

/** A position in the log of changes. */
export interface Cursor {
  /** When `base` was taken, by the database's clock. */
  readonly at: Date;
  /** The changes that it sees have been delivered. */
  readonly base: Snapshot;
  /** Between `base` and a later snapshot: the changes up to this id have been delivered too. */
  readonly within: { readonly until: Snapshot; readonly id: bigint } | null;
}

const IV_BYTES = 16;
const NOTATION = /^(\d{1,16}) ([\d:,]+)(?: ([\d:,]+) (\d{1,19}))?$/;
/** The longest accepted cursor; one with some hundred running transactions has half of that. */
const MAX_LENGTH = 16_000;

/**
 * Cursors in their external form: encrypted and authenticated, so clients can neither forge them nor infer the amount
 * of activity. The same position always has the same text (SIV: the authentication code is the initialization vector),
 * on every server.
 */
export class CursorSealer {
  private readonly encryption: Buffer;
  private readonly authentication: Buffer;

  /** @param secret of the installation, used for cursors only */
  constructor(secret: string) {
    this.encryption = Buffer.from(hkdfSync('sha256', secret, '', 'cursor-encryption', 32));
    this.authentication = Buffer.from(hkdfSync('sha256', secret, '', 'cursor-authentication', 32));
  }

  seal({ at, base, within }: Cursor): string {
    const text = `${at.getTime()} ${base.toString()}${within ? ` ${within.until.toString()} ${within.id}` : ''}`;
    const iv = this.codeOf(text);
    const cipher = createCipheriv('aes-256-ctr', this.encryption, iv);
    return Buffer.concat([iv, cipher.update(text, 'latin1'), cipher.final()]).toString('base64url');
  }

  /** Null for a text that was not sealed here, or was altered. */
  open(sealed: string): Cursor | null {
    if (sealed.length > MAX_LENGTH || !/^[\w-]+$/.test(sealed)) return null;
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= IV_BYTES || bytes.toString('base64url') !== sealed) return null;
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-ctr', this.encryption, iv);
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('latin1');
    return timingSafeEqual(iv, this.codeOf(text)) ? read(text) : null;
  }

  private codeOf(text: string): Buffer {
    return createHmac('sha256', this.authentication).update(text, 'latin1').digest().subarray(0, IV_BYTES);
  }
}

function read(text: string): Cursor | null {
  const [, at = '', first = '', second, id = '0'] = NOTATION.exec(text) ?? [];
  const base = Snapshot.parse(first);
  const until = second === undefined ? null : Snapshot.parse(second);
  if (!base || (second !== undefined && !until)) return null;
  return { at: new Date(Number(at)), base, within: until && { until, id: BigInt(id) } };
}
