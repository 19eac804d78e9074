import { createHash, type Hash } from 'node:crypto';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/**
 * Computes a digest of the names and bytes of a form's parts, in their order. The digest does not depend on the
 * boundary or on the names and types of files.
 */
export class FormDigest {
  private readonly form = createHash('sha256');
  private part: Hash | null = null;

  begin({ fieldname, ...part }: Pick<Multipart, 'fieldname'> & { readonly value?: unknown }): void {
    this.end();
    this.form.update(`${JSON.stringify(fieldname)}\n`);
    this.part = createHash('sha256');
    // A part with a JSON content type is already parsed.
    if (part.value !== undefined) this.update(typeof part.value === 'string' ? part.value : JSON.stringify(part.value));
  }

  update(bytes: Buffer | string): void {
    this.part?.update(bytes);
  }

  /** The digest of the parts so far, as text. */
  get content(): string {
    this.end();
    return `form ${this.form.copy().digest('base64url')}`;
  }

  /**
   * Adds the digest of the part, which has a fixed length, to the form's digest. If the bytes of the part were added
   * instead, two forms whose bytes are divided differently between parts could have the same digest.
   */
  private end(): void {
    if (this.part) this.form.update(this.part.digest());
    this.part = null;
  }
}

const digests = new WeakMap<FastifyRequest, FormDigest>();

/** Begins the digest of a request's form. The digest is computed while the form is read. */
export function digestForm(request: FastifyRequest): FormDigest {
  const digest = new FormDigest();
  digests.set(request, digest);
  return digest;
}

/** Returns the digest of a request's form; undefined for a request whose form needs no digest. */
export function digestOf(request: FastifyRequest): FormDigest | undefined {
  return digests.get(request);
}
