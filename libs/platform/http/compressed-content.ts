import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingFor, compressed, type Coding } from './content-coding';
import { digestTag, matchesIfNoneMatch } from './etags';

/** For 660 KB of JSON, Brotli 9 needs 30 ms and returns 29 KB; Brotli 11 needs a second and returns 25 KB. */
const LEVELS = { br: 9, gzip: 9 };

interface Options {
  /** Whether the content is already compressed, so that every client gets it as it is. */
  readonly isCompressed?: boolean;
  readonly cacheControl?: string;
}

/**
 * Frequently requested content, usually a text. Unless it is already compressed, it is compressed once for each coding,
 * at the first request that prefers this coding. Each coding has its own ETag.
 */
export class CompressedContent {
  private readonly content: Buffer;
  private readonly tag: string;
  private readonly encodedContents = new Map<Coding, Promise<Buffer>>();

  constructor(
    private readonly type: string,
    content: string | Buffer,
    private readonly options: Options = {},
  ) {
    this.content = typeof content === 'string' ? Buffer.from(content) : content;
    this.tag = digestTag(this.content);
  }

  /**
   * Sends the content in the coding that the client prefers, or 304 if the client has the content in this coding.
   * `vary`: the request headers, besides `Accept-Encoding`, that determined which content is sent.
   */
  async send(request: FastifyRequest, reply: FastifyReply, vary: readonly string[] = []): Promise<FastifyReply> {
    const { isCompressed = false, cacheControl = 'no-cache' } = this.options;
    const coding = isCompressed ? null : codingFor(request.headers['accept-encoding']);
    // The ETags differ, because the same content in another coding is another representation (RFC 9110, 8.8.3.3).
    const etag = coding === null ? this.tag : this.tag.replace(/"$/, `-${coding}"`);
    reply.headers({ etag, 'cache-control': cacheControl, vary: [...vary, 'Accept-Encoding'].join(', ') });
    if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (coding !== null) reply.header('content-encoding', coding);
    return reply.type(this.type).send(coding === null ? this.content : await this.encodedAs(coding));
  }

  private encodedAs(coding: Coding): Promise<Buffer> {
    const encoded = this.encodedContents.get(coding) ?? compressed(this.content, coding, LEVELS);
    this.encodedContents.set(coding, encoded);
    return encoded;
  }
}
