import { createHash, type Hash } from 'node:crypto';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/** A form by its parts as they come: their names, their order, their bytes. Not the boundary, nor the files' names and types. */
export class FormDigest {
  private readonly form = createHash('sha256');
  private part: Hash | null = null;

  begin({ fieldname, ...part }: Pick<Multipart, 'fieldname'> & { readonly value?: unknown }): void {
    this.end();
    this.form.update(`${JSON.stringify(fieldname)}\n`);
    this.part = createHash('sha256');
    // A part that says it is JSON arrives parsed.
    if (part.value !== undefined) this.bytes(typeof part.value === 'string' ? part.value : JSON.stringify(part.value));
  }

  bytes(more: Buffer | string): void {
    this.part?.update(more);
  }

  get content(): string {
    this.end();
    return `form ${this.form.copy().digest('base64url')}`;
  }

  /** A part's own digest has a fixed length, so that no byte can move from one part to the next. */
  private end(): void {
    if (this.part) this.form.update(this.part.digest());
    this.part = null;
  }
}

const digests = new WeakMap<FastifyRequest, FormDigest>();

/** From now on the form of this request is digested as it is read, by whomever. */
export function digestForm(request: FastifyRequest): FormDigest {
  const digest = new FormDigest();
  digests.set(request, digest);
  return digest;
}

/** undefined for a request whose form nobody needs to tell from others. */
export function digestOf(request: FastifyRequest): FormDigest | undefined {
  return digests.get(request);
}
