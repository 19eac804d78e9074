import { createHash, createHmac, hkdfSync, timingSafeEqual, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Transform, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack, type Pack } from 'tar-stream';
import { OperatorError } from '../config/operator-error';

/** The version of the archive's format. A reader refuses archives with another version. */
const FORMAT = 1;

/** The content of the archive's first entry. */
export interface Manifest {
  /** The migrations of the database, in the order of their application. */
  readonly migrations: readonly string[];
  /** The time when the backup began, ISO 8601. */
  readonly createdAt: string;
}

/** The content of the last entry, which authenticates all entries before it. */
export interface Seal {
  /** Hex digits: SHA-256 of the name, size and content of every entry, including the manifest. */
  readonly sha256: string;
  /**
   * HMAC of the digest with a key derived from APP_SECRET; null in archives that version 0.2.0 of the service, or an
   * older version, wrote.
   */
  readonly signature: string | null;
}

function signatureOf(sha256: string, secret: string): string {
  return createHmac('sha256', Buffer.from(hkdfSync('sha256', secret, '', 'backup-archive', 32)))
    .update(sha256)
    .digest('hex');
}

/** Whether the signature was made with this secret. False for an archive without a signature. */
export function isSignedWith({ sha256, signature }: Seal, secret: string): boolean {
  const [actual, expected] = [Buffer.from(String(signature)), Buffer.from(signatureOf(sha256, secret))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

const MANIFEST = 'manifest.json';
const END = 'end.json';

/**
 * A backup as a tar archive: `manifest.json`, the entries, and `end.json` with a digest of everything before it. An
 * archive without `end.json` is truncated, so it is not restored.
 */
export class ArchiveWriter {
  private readonly digest = createHash('sha256');
  private readonly writeFinished: Promise<void>;

  private constructor(
    private readonly tar: Pack,
    target: Writable,
  ) {
    this.writeFinished = pipeline(tar, target);
    // An error of `target` is not lost: the next call of `add` or `end` throws it.
    this.writeFinished.catch(() => undefined);
  }

  static async begin(target: Writable, manifest: Manifest): Promise<ArchiveWriter> {
    const archive = new ArchiveWriter(pack(), target);
    await archive.addText(MANIFEST, JSON.stringify({ format: FORMAT, ...manifest }));
    return archive;
  }

  async addText(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content);
    await this.add(name, bytes.length, Readable.from([bytes]));
  }

  /** `size`: the exact number of bytes of `content`. */
  async add(name: string, size: number, content: Readable): Promise<void> {
    this.digest.update(`${name} ${size}\n`);
    await this.attempt(async () => {
      const entry = this.tar.entry({ name, size, mode: 0o600 });
      await Promise.race([pipeline(content, digestStream(this.digest), entry), this.failure()]);
    });
  }

  /**
   * Writes `end.json` and completes the archive.
   *
   * @returns the digest of all entries
   */
  async end(secret: string): Promise<string> {
    const sha256 = this.digest.digest('hex');
    const bytes = Buffer.from(JSON.stringify({ sha256, signature: signatureOf(sha256, secret) } satisfies Seal));
    await this.attempt(async () => {
      const entry = this.tar.entry({ name: END, size: bytes.length, mode: 0o600 });
      entry.end(bytes);
      await Promise.race([once(entry, 'finish'), this.failure()]);
      this.tar.finalize();
      await this.writeFinished;
    });
    return sha256;
  }

  /**
   * Runs `write`. If `write` fails because tar-stream was destroyed, throws the error of the target (such as a full
   * disk), because the error of tar-stream does not contain the reason.
   */
  private async attempt(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (this.tar.destroyed) await this.writeFinished;
      throw error;
    }
  }

  /** Rejects when the target fails (a full disk, a closed pipe). Never resolves, so `Promise.race` can use it. */
  private async failure(): Promise<never> {
    await this.writeFinished;
    throw new Error('The archive was closed before its end.');
  }
}

/** Error messages of tar-stream for bytes that are not an archive, and for a truncated archive. */
const NO_ARCHIVE = /Invalid tar header|Unexpected end of data|Premature close/;

/** One entry of an archive. Its content must be read before the next entry is read. */
export interface Entry {
  readonly name: string;
  readonly size: number;
  readonly content: Readable;
}

/**
 * Reads an archive from beginning to end. Calls `handlers.manifest` first, and then `handlers.entry` for every entry
 * between `manifest.json` and `end.json`, in order.
 *
 * @throws OperatorError if the file is not a backup, has another format version, is damaged or is incomplete. The
 * caller must then discard everything that the handlers have received.
 */
export async function readArchive(
  source: Readable,
  handlers: { manifest: (manifest: Manifest) => Promise<void>; entry: (entry: Entry) => Promise<void> },
): Promise<Seal> {
  const reader = extract();
  const digest = createHash('sha256');
  let hasManifest = false;
  let seal: Seal | null = null;
  const read = (async () => {
    for await (const entry of reader) {
      const { name = '', size = 0 } = entry.header;
      if (seal) throw new OperatorError('The backup is damaged: it has entries after its end.');
      if (name === END) {
        seal = sealOf(await text(Readable.from(entry)), digest.digest('hex'));
        continue;
      }
      digest.update(`${name} ${size}\n`);
      const content = digestStream(digest);
      // An error of the entry destroys `content`. Code that reads `content` then throws this error.
      pipeline(Readable.from(entry), content).catch(() => undefined);
      if (!hasManifest) {
        if (name !== MANIFEST) throw new OperatorError('This is not a backup of this service.');
        const manifest = manifestOf(await text(content));
        hasManifest = true;
        await handlers.manifest(manifest);
      } else {
        await handlers.entry({ name, size, content });
      }
    }
  })();
  await Promise.all([read, pipeline(source, reader)]).catch((error: unknown) => {
    throw error instanceof Error && NO_ARCHIVE.test(error.message)
      ? new OperatorError('This is not a backup of this service, or the backup was cut off.')
      : error;
  });
  if (!hasManifest) throw new OperatorError('This is not a backup of this service.');
  // The type assertion is needed, because TypeScript ignores assignments in the loop above.
  const found = seal as Seal | null;
  if (!found) throw new OperatorError('The backup was cut off: it has no end.');
  return found;
}

/** Reads `end.json`. `digest`: the digest of the entries before it. */
function sealOf(json: string, digest: string): Seal {
  const { sha256, signature = null } = parsed(json) as Partial<Seal>;
  if (sha256 !== digest) throw new OperatorError('The backup is damaged: its digest does not match its content.');
  return { sha256, signature };
}

/** Reads `manifest.json`. */
function manifestOf(json: string): Manifest {
  const { format, migrations, createdAt } = parsed(json) as Partial<Manifest> & { format?: unknown };
  if (format !== FORMAT)
    throw new OperatorError(
      `The backup has the format version ${JSON.stringify(format)}; this version of the service reads version ${FORMAT}.`,
    );
  if (
    !Array.isArray(migrations) ||
    !migrations.every((name) => typeof name === 'string') ||
    typeof createdAt !== 'string'
  )
    throw new OperatorError(UNREADABLE_JSON);
  return { migrations, createdAt };
}

const UNREADABLE_JSON = 'The backup is damaged: the JSON of one of its entries cannot be read.';

/** Parses the JSON object of an archive's entry. */
export function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error is thrown below.
  }
  throw new OperatorError(UNREADABLE_JSON);
}

/** Returns a stream that passes data on unchanged and adds the data to the digest. */
function digestStream(digest: Hash): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      digest.update(part);
      done(null, part);
    },
  });
}
