import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { answerError } from '#platform/http/envelope';
import { TextField } from '#platform/http/fields';
import { readJsonBodies } from '#platform/http/json-body';
import { acceptMultipart } from '#platform/uploads/accept-multipart';
import type { UploadRules } from '#platform/uploads/upload-rules';
import { Uploads } from '#platform/uploads/uploads';
import { Scratch } from '#platform/media/scratch';

class CaptionDto {
  @TextField({ max: 20 }) caption?: string | null;
}

const KB = 1024;

/** Routes as in the service, with small limits. */
const ROUTES: Readonly<Record<string, UploadRules>> = {
  '/images': { files: { images: { maxBytes: 64 * KB, min: 1, maxFiles: 3 } } },
  '/cover': { files: { cover: { maxBytes: 1024 * KB, min: 1 } } },
  '/comments': { files: { image: { maxBytes: 64 * KB } }, fields: CaptionDto, orJson: true },
  '/puls': { files: { image: { maxBytes: 64 * KB }, video: { maxBytes: 128 * KB } }, fields: CaptionDto },
};

/** A small server whose responses describe the received body. */
export class UploadServer {
  readonly fastify: FastifyInstance = Fastify();
  origin = '';
  /** If set, the processing of a received upload waits for this promise. */
  waitBeforeProcessing: Promise<void> | null = null;
  private folder = '';

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'uploads-'));
    const uploads = new Uploads(new Scratch(this.folder));
    readJsonBodies(this.fastify);
    acceptMultipart(this.fastify);
    this.fastify.decorateRequest('caller', null);
    // The header `x-account` contains the account that sends the request. In the service, `Admission` sets `caller`.
    this.fastify.addHook('onRequest', async (request) => {
      const id = Number(request.headers['x-account'] ?? 0);
      request.caller = id === 0 ? null : { id, locale: 'en' };
    });
    this.fastify.setErrorHandler(answerError);
    this.fastify.post('/json', async (request) => ({ body: request.body ?? null }));
    for (const [path, rules] of Object.entries(ROUTES)) {
      this.fastify.post(path, { config: { takesUpload: true } }, (request) =>
        uploads.receive({ request, rules }, async (upload) => {
          await this.waitBeforeProcessing;
          const files = await Promise.all(
            upload.files.map(async ({ name, field, path, bytes }) => ({
              name,
              field,
              bytes,
              isComplete: (await readFile(path)).length === bytes,
            })),
          );
          return { files, fields: upload.read() };
        }),
      );
    }
    await this.fastify.listen({ port: 0, host: '127.0.0.1' });
    this.origin = `http://127.0.0.1:${(this.fastify.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.fastify.server.closeAllConnections();
    await this.fastify.close();
    await rm(this.folder, { recursive: true });
  }

  /** The names of all files and folders of uploads on the disk. */
  async spooledFiles(): Promise<string[]> {
    try {
      return await readdir(this.folder, { recursive: true });
    } catch (error) {
      // The folder of a request was removed during the listing, so the listing starts again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(this.folder)) return this.spooledFiles();
      throw error;
    }
  }

  /** Sends a form as browsers do, or a text as the body. */
  async send(
    path: string,
    form: FormData | string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(this.origin + path, { method: 'POST', body: form, headers });
    return { status: answer.status, body: await answer.json() };
  }
}

/** `form(['caption', 'Hello'], ['images[]', Buffer.from('…')])`: a Buffer becomes a file. */
export function form(...entries: readonly (readonly [string, string | Buffer])[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([new Uint8Array(value)]), 'photo.jpg');
  }
  return data;
}
