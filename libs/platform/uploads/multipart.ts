import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { readWatched } from './body-watch';
import { unreadable } from '../http/json-body';
import { Refusal } from '../http/refusal';
import { refuseUnknownPart } from '../http/strict';
import type { Reservation } from '../media/scratch';
import { digestOf, type FormDigest } from './form-digest';
import { bodyCap, fieldOf, fileRuleOf, takesText, type UploadRules } from './upload-rules';

/** A received file. It stays on the disk until the work of the request ends. */
export interface SpooledFile {
  /** The field's name without brackets: `images`. */
  readonly name: string;
  /** The name of the file in errors: `images.2`, or `cover`. */
  readonly field: string;
  readonly path: string;
  readonly bytes: number;
}

/** The received texts by name (a list if the name occurred several times), and the files in the order of arrival. */
interface Form {
  readonly texts: Record<string, string | string[]>;
  readonly files: readonly SpooledFile[];
}

/**
 * Maximum bytes of a text field. The body of a post has up to 80,000 bytes. In the form that changes a post, one hidden
 * field contains the body and all other values that the form showed.
 */
export const TEXT_BYTES = 128 * 1024;

/**
 * Maximum bytes of a text field in a form of a page; a longer text is cut and refused. The maximum is larger than
 * `TEXT_BYTES`, so that a text that is too long is usually refused by the limit of its field, and the page can show the
 * whole text again.
 */
const PAGE_TEXT_BYTES = 256 * 1024;

/**
 * The character by which the parser replaces bytes that are not UTF-8 (WIRE-55). Forms of pages (`allTexts`) are not
 * checked for it, because browsers send only UTF-8.
 */
const REPLACEMENT = '\ufffd';

/**
 * Returns the value of the header `Content-Length`; the route's maximum if the header is absent or its value is larger.
 */
export function announcedBytes({ headers }: FastifyRequest, rules: UploadRules): number {
  const contentLength = headers['content-length'];
  return Math.min(bodyCap(rules), contentLength === undefined ? Infinity : Number(contentLength));
}

/**
 * Reads the form and writes its files to the folder. If `allTexts` is set, the texts are added to this object, even
 * undeclared texts. Texts for file fields are not added.
 *
 * @throws Refusal 422 on the field or on `body` (WIRE-40), 413 above the route's maximum, 408 if the body is too slow
 */
export async function readForm(
  request: FastifyRequest,
  rules: UploadRules,
  folder: string,
  reservation: Reservation,
  allTexts: Form['texts'] | null = null,
): Promise<Form> {
  return readLimited(request, rules, async (signal) => {
    const form = new ReceivedForm(rules, folder, reservation, signal, allTexts, digestOf(request));
    for await (const part of withSenderErrors(request.parts({ limits: { fieldSize: form.textBytes } }))) {
      const { fieldname } = part;
      if (!fileRuleOf(rules, fieldname) && !takesText(rules, fieldname)) refuseUnknownPart(request, fieldname);
      await form.take(part);
    }
    form.checkFiles();
    return form;
  });
}

/**
 * Reads a form, discards its files, and passes its texts to `take`. Does nothing if the body is not a form, or if the
 * reading of the form has already begun. This function is for responses that are decided before the form is read. The
 * form must still be read, because the error of an unreadable form takes precedence (WIRE-40), and because some callers
 * need the texts or the digest of the form.
 *
 * @throws Refusal 422 on `body`, 413 above the route's maximum, 408 if the body is too slow
 */
export async function readUnreadForm(
  request: FastifyRequest,
  rules: UploadRules,
  take: (name: string, text: string) => void = () => undefined,
): Promise<void> {
  if (!request.isMultipart() || startedRequests.has(request)) return;
  const digest = digestOf(request);
  await readLimited(request, rules, async () => {
    for await (const part of withSenderErrors(request.parts())) {
      digest?.begin(part);
      if (part.type === 'file') await skipPart(part.file, digest);
      else take(part.fieldname, textOf(part.value) ?? '');
    }
  });
}

/** Requests whose form is being read, or has been read. */
const startedRequests = new WeakSet<FastifyRequest>();

function readLimited<T>(
  request: FastifyRequest,
  rules: UploadRules,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  startedRequests.add(request);
  const cap = bodyCap(rules);
  if (Number(request.headers['content-length'] ?? 0) > cap) throw new Refusal('payload_too_large');
  return readWatched(request.raw, cap, read);
}

type TextPart = Exclude<Multipart, MultipartFile>;

class ReceivedForm implements Form {
  readonly texts: Record<string, string | string[]>;
  readonly files: SpooledFile[] = [];
  /** Maximum bytes of a text. */
  readonly textBytes: number;
  /**
   * With `allTexts`: the first refusal of a file or a text. It is thrown after all texts of the form have been read.
   */
  private refusal: Refusal | null = null;

  constructor(
    private readonly rules: UploadRules,
    private readonly folder: string,
    private readonly reservation: Reservation,
    private readonly signal: AbortSignal,
    private readonly allTexts: Form['texts'] | null,
    private readonly digest?: FormDigest,
  ) {
    // The object has no prototype, because a field may have any name.
    this.texts = allTexts ?? (Object.create(null) as Form['texts']);
    this.textBytes = allTexts ? PAGE_TEXT_BYTES : TEXT_BYTES;
  }

  async take(part: Multipart): Promise<void> {
    this.digest?.begin(part);
    if (part.type === 'file') await this.takeFile(part);
    else this.takeText(part);
  }

  /** Throws the stored refusal, or a 422 if a file field has too few files. */
  checkFiles(): void {
    if (this.refusal) throw this.refusal;
    for (const [name, { min = 0, maxFiles }] of Object.entries(this.rules.files)) {
      if (this.count(name) >= min) continue;
      throw maxFiles === undefined
        ? Refusal.invalid(name, 'required')
        : Refusal.invalid(name, 'files_too_few', { min });
    }
  }

  private takeText({ fieldname, value, valueTruncated }: TextPart): void {
    const match = fileRuleOf(this.rules, fieldname);
    if (!match && !this.allTexts && !takesText(this.rules, fieldname)) return;
    if (valueTruncated) this.refuse(Refusal.invalid(fieldname, 'too_long', { max: this.textBytes }));
    // Some clients send an empty text if the user has selected no file.
    if (match && value === '') return;
    if (match) throw Refusal.invalid(fieldOf(match.name, match.rule, this.count(match.name)), 'file');
    const text = textOf(value);
    if (text === null) throw Refusal.invalid(fieldname, 'string');
    if (!this.allTexts && text.includes(REPLACEMENT)) throw Refusal.invalid(fieldname, 'characters');
    const before = this.texts[fieldname];
    this.texts[fieldname] = before === undefined ? text : [before, text].flat();
  }

  private async takeFile({ fieldname, filename, file }: MultipartFile): Promise<void> {
    const match = fileRuleOf(this.rules, fieldname);
    if (!match) return skipPart(file, this.digest);
    const { name, rule } = match;
    const index = this.count(name);
    const max = rule.maxFiles ?? 1;
    const field = fieldOf(name, rule, index);
    if (index >= max) {
      this.refuse(Refusal.invalid(name, 'files_too_many', { max }));
      return skipPart(file, this.digest);
    }
    const path = join(this.folder, String(this.files.length));
    let bytes = 0;
    await writeToDisk(file, path, this.signal, (chunk) => {
      bytes += chunk.length;
      this.digest?.update(chunk);
      if (bytes > rule.maxBytes)
        this.refuse(Refusal.invalid(field, 'file_too_large', { megabytes: rule.maxBytes / (1024 * 1024) }));
      if (this.refusal) return false;
      this.reservation.written(chunk.length);
      return true;
    });
    // Browsers send an empty file without a name if the user has selected no file.
    if (bytes === 0 && !filename) return;
    if (bytes === 0) return this.refuse(Refusal.invalid(field, 'file_empty'));
    this.files.push({ name, field, path, bytes });
  }

  /**
   * Without `allTexts`, throws the refusal at once. With `allTexts`, stores the first refusal. The rest of the form is
   * then still read, because a page shows all texts again.
   */
  private refuse(refusal: Refusal): void {
    if (!this.allTexts) throw refusal;
    this.refusal ??= refusal;
  }

  private count(name: string): number {
    return this.files.filter((file) => file.name === name).length;
  }
}

/**
 * Writes the file to the disk while it arrives, so that only a small part of it is in memory at a time. If `onChunk`
 * returns false, the chunk is not written. `onChunk` may throw an error to end the writing.
 */
async function writeToDisk(
  sent: Readable,
  path: string,
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => boolean,
): Promise<void> {
  const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (onChunk(chunk)) yield chunk;
    }
  };
  try {
    await pipeline(sent, counted, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    const isRefusalOrDiskError = error instanceof Refusal || (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isRefusalOrDiskError ? error : unreadable();
  }
}

/**
 * Returns the value of a part as a text. The parser has already parsed a part with a JSON content type, so the value
 * may have any type. Returns null for an object or a list.
 */
function textOf(value: unknown): string | null {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

async function skipPart(sent: AsyncIterable<Buffer>, digest?: FormDigest): Promise<void> {
  for await (const chunk of withSenderErrors(sent)) digest?.update(chunk);
}

/**
 * Yields the items of `sent`. An error of the parser is caused by the sender and becomes a 422; a refusal is rethrown.
 */
async function* withSenderErrors<T>(sent: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* sent;
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable();
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts multipart bodies. */
    takesUpload?: boolean;
    /** The rules for these bodies. `@UploadBody` sets the rules. */
    uploadRules?: UploadRules;
  }
}
