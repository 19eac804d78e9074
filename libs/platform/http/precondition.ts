import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { opaqueTags } from './etags';
import { Refusal } from './refusal';
import { tagOf } from './versions';

/**
 * The header `If-Match` of a request: the version that the client intends to change (RETRY-21). The header is checked
 * while the resource is locked, after the check of ownership and before the validation of the body (RETRY-22).
 */
export class Precondition {
  private readonly versions: ReadonlySet<string> | '*' | null;

  constructor(private readonly header: string | undefined) {
    const tags = header === undefined ? null : opaqueTags(header);
    this.versions =
      typeof tags === 'string' || tags === null ? tags : new Set(tags.map((tag) => tag.split('.', 1)[0] ?? ''));
  }

  /**
   * @param show returns the resource as GET shows it to its owner; called only for a refusal, because a refusal
   * contains the current tag
   *
   * @throws Refusal 412 `precondition_failed` if the request has the header, but the header is invalid or contains
   * neither `version` nor `*`
   */
  async check(version: number, show: () => object | Promise<object>): Promise<void> {
    if (!this.isMetBy(version)) throw new Refusal('precondition_failed', { etag: tagOf(await show()) });
  }

  /** For an absent resource every `If-Match` fails, even `*`, because the resource has no version. */
  checkAbsent(): void {
    if (this.header !== undefined) throw new Refusal('precondition_failed');
  }

  private isMetBy(version: number): boolean {
    if (this.header === undefined) return true;
    return this.versions === '*' || (this.versions?.has(String(version)) ?? false);
  }
}

/** For a change without `If-Match`: every version fulfils this precondition. */
export const NO_PRECONDITION = new Precondition(undefined);

/**
 * Use this decorator as `@IfMatch() precondition: Precondition` in a handler with `@Refuses('precondition_failed')`.
 */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return new Precondition(headers['if-match']);
});
