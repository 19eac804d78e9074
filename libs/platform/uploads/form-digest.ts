import { createHash, type Hash } from 'node:crypto';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/**
 * Digests a form by its parts in order: their names and bytes. Excludes the boundary and the files' names and types.
 */
export class FormDigest {
  private readonly form = createHash('sha256');
  private part: Hash | null = null;

  begin({ fieldname, ...part }: Pick<Multipart, 'fieldname'> & { readonly value?: unknown }): void {
    this.end();
    this.form.update(`${JSON.stringify(fieldname)}\n`);
    this.part = createHash('sha256');
    // A part with a JSON content type arrives parsed.
    if (part.value !== undefined) this.bytes(typeof part.value === 'string' ? part.value : JSON.stringify(part.value));
  }

  bytes(more: Buffer | string): void {
    this.part?.update(more);
  }

  get content(): string {
    this.end();
    return `form ${this.form.copy().digest('base64url')}`;
  }

  /** Each part's digest has a fixed length, so that bytes cannot move between parts. */
  private end(): void {
    if (this.part) this.form.update(this.part.digest());
    this.part = null;
  }
}

const digests = new WeakMap<FastifyRequest, FormDigest>();

/** Starts a digest of the request's form, which is computed while the form is read. */
export function digestForm(request: FastifyRequest): FormDigest {
  const digest = new FormDigest();
  digests.set(request, digest);
  return digest;
}

/** undefined for a request whose form needs no digest. */
export function digestOf(request: FastifyRequest): FormDigest | undefined {
  return digests.get(request);
}
