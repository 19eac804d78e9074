import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A position in the feed: after the entry with this number. */
export interface Cursor {
  /**
   * The time when the entry was written, or when the end of the feed was read. A cursor expires a fixed period after
   * this time (CHG-10).
   */
  readonly at: Date;
  readonly number: bigint;
}

/**
 * A cursor from an older version of this service. In that version, entries had no numbers. `base` is a snapshot in
 * PostgreSQL's text form. The client has read the entries that are visible in this snapshot. If the cursor is within a
 * page, `within` is set: the client has also read the entries up to `id` that are visible in the snapshot `until`.
 */
export interface FormerCursor {
  readonly at: Date;
  readonly base: string;
  readonly within: { readonly until: string; readonly id: bigint } | null;
}

const IV_BYTES = 16;
const FORMAT = /^(\d{1,16}) (\d{1,19})$/;
const SNAPSHOT = String.raw`(\d+:\d+:(?:\d+(?:,\d+)*)?)`;
const FORMER_FORMAT = new RegExp(String.raw`^(\d{1,16}) ${SNAPSHOT}(?: ${SNAPSHOT} (\d{1,19}))?$`);

/**
 * Encrypts and authenticates cursors, so that clients can neither create cursors nor read the number of changes from
 * them. The initialization vector is the authentication code (SIV), so equal cursors have the same text on every
 * server.
 */
export class CursorSealer {
  private readonly encryption: Buffer;
  private readonly authentication: Buffer;

  /** @param secret the installation's secret, used only to derive the keys */
  constructor(secret: string) {
    this.encryption = Buffer.from(hkdfSync('sha256', secret, '', 'cursor-encryption', 32));
    this.authentication = Buffer.from(hkdfSync('sha256', secret, '', 'cursor-authentication', 32));
  }

  seal({ at, number }: Cursor): string {
    return this.encrypt(`${at.getTime()} ${number}`);
  }

  /** The public id of the entry with this number. All readers get the same id. */
  entryId(number: bigint): string {
    return this.encrypt(`entry ${number}`);
  }

  /** Returns null if the text was changed, was encrypted with another secret, or is not a cursor. */
  open(sealed: string): Cursor | FormerCursor | null {
    if (!/^[\w-]+$/.test(sealed)) return null;
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= IV_BYTES || bytes.toString('base64url') !== sealed) return null;
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-ctr', this.encryption, iv);
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('latin1');
    return timingSafeEqual(iv, this.codeOf(text)) ? read(text) : null;
  }

  private encrypt(text: string): string {
    const iv = this.codeOf(text);
    const cipher = createCipheriv('aes-256-ctr', this.encryption, iv);
    return Buffer.concat([iv, cipher.update(text, 'latin1'), cipher.final()]).toString('base64url');
  }

  private codeOf(text: string): Buffer {
    return createHmac('sha256', this.authentication).update(text, 'latin1').digest().subarray(0, IV_BYTES);
  }
}

function read(text: string): Cursor | FormerCursor | null {
  const [, at, number] = FORMAT.exec(text) ?? [];
  if (at !== undefined && number !== undefined) return { at: new Date(Number(at)), number: BigInt(number) };
  const [, formerAt, base, until, id] = FORMER_FORMAT.exec(text) ?? [];
  if (formerAt === undefined || base === undefined) return null;
  return {
    at: new Date(Number(formerAt)),
    base,
    within: until === undefined || id === undefined ? null : { until, id: BigInt(id) },
  };
}
