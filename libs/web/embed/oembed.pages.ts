import { Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { escapedHtml } from '#platform/text/characters';
import { FileController } from '../page.decorators';
import { PublicPeople } from '../public/public-people';
import { VisibleEvents } from '../public/visible-events';
import { VisibleGroups } from '../groups/visible-groups';
import { Readers } from '../readers';
import { translator } from '../texts';
import { frameAddress, framedAt, type Framed } from './frames';

/** The default size of the frame in pixels. */
const SIZE = { width: 600, height: 420 } as const;
/** Seconds for which another site may store the response; sent as `cache_age`. */
const CACHE_SECONDS = 3600;

/** A response in the format oEmbed 1.0. */
interface OEmbed {
  readonly version: '1.0';
  readonly type: 'rich';
  readonly title: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly cache_age: number;
  readonly width: number;
  readonly height: number;
  readonly html: string;
}

/** /oembed describes the frame of a public event, group or person to sites that show a preview of a link (EMB-5). */
@FileController()
export class OembedPages {
  constructor(
    private readonly events: VisibleEvents,
    private readonly groups: VisibleGroups,
    private readonly people: PublicPeople,
    private readonly readers: Readers,
    private readonly wire: WireFormat,
  ) {}

  @Get('oembed')
  async oembed(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<OEmbed | { message: string }> {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' });
    if (query.format !== undefined && query.format !== 'json') {
      reply.code(501);
      return { message: 'Only format=json is supported.' };
    }
    const framed = typeof query.url === 'string' ? framedAt(query.url, this.wire) : null;
    const title = framed && (await this.titleOf(framed, request));
    if (!framed || title === null) throw new Refusal('not_found');
    const [width, height] = [limitedSize(query.maxwidth, SIZE.width), limitedSize(query.maxheight, SIZE.height)];
    return {
      version: '1.0',
      type: 'rich',
      title,
      provider_name: translator('en')('brand'),
      provider_url: this.wire.page('/'),
      cache_age: CACHE_SECONDS,
      width,
      height,
      html:
        `<iframe src="${escapedHtml(frameAddress(framed, this.wire))}" width="${width}" height="${height}" ` +
        `title="${escapedHtml(title)}" loading="lazy" style="border:0;max-width:100%"></iframe>`,
    };
  }

  /**
   * Returns the title or name of the object; null if the object does not exist or is not visible without an account.
   */
  private async titleOf({ kind, id }: Framed, request: FastifyRequest): Promise<string | null> {
    const visitor = this.readers.visitor(request);
    if (kind === 'events') return this.events.title(id, visitor);
    if (kind === 'groups') return (await this.groups.groupOrNull(id, visitor))?.name ?? null;
    return (await this.people.bySlug(id))?.name ?? null;
  }
}

/**
 * Returns the smaller of the default size and the maximum that the other site has requested. A maximum that is not a
 * positive whole number is ignored.
 */
function limitedSize(requestedMax: unknown, defaultSize: number): number {
  const isNumber = typeof requestedMax === 'string' && /^[1-9]\d{0,5}$/.test(requestedMax);
  return isNumber ? Math.min(Number(requestedMax), defaultSize) : defaultSize;
}
