import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DiscoverReader } from '#areas/discover/discover.reader';
import { GroupsReader } from '#areas/groups/groups.reader';
import { PostsReader } from '#areas/posts/posts.reader';
import { basePathOf } from '#platform/config/base-path';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { escapedHtml } from '#platform/text/characters';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { FileController } from '../page.decorators';

/** Paths that search engines must skip: account pages, the API, secret addresses, and the sign-in pages. */
const DISALLOWED_PATHS = ['/account', '/api', '/calendar', '/groups/join', '/sign-in'];
/** The sitemap lists at most this many events, groups and posts each. The format allows 50,000 addresses in total. */
const MAX_PER_KIND = 5_000;
const SECURITY_TXT_LIFETIME_MS = 180 * 86_400_000;

/** Files that programs request on every site: robots.txt, sitemap.xml, security.txt (PAGE-32). */
@FileController()
export class SitePages {
  constructor(
    private readonly settings: Settings,
    private readonly events: DiscoverReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  @Get('robots.txt')
  robots(@Res({ passthrough: true }) reply: FastifyReply): string {
    const base = basePathOf(this.settings.baseUrl);
    return plain(reply, [
      'User-agent: *',
      ...DISALLOWED_PATHS.map((path) => `Disallow: ${base}${path}`),
      `Sitemap: ${this.wire.page('/sitemap.xml')}`,
    ]);
  }

  @Get(['.well-known/security.txt', 'security.txt'])
  security(@Res({ passthrough: true }) reply: FastifyReply): string {
    const { securityContact } = this.settings;
    if (securityContact === null) throw new Refusal('not_found');
    const expires = toWire(new Date(this.clock.now().getTime() + SECURITY_TXT_LIFETIME_MS));
    return plain(reply, [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: cs, en',
      `Canonical: ${this.wire.page('/.well-known/security.txt')}`,
    ]);
  }

  @Get('sitemap.xml')
  async sitemap(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const [events, groups, posts] = await Promise.all([
      this.events.listedIds(MAX_PER_KIND),
      this.groups.listedIds(MAX_PER_KIND),
      this.posts.publishedSlugs(MAX_PER_KIND),
    ]);
    const paths = [
      '/',
      '/groups',
      '/posts',
      ...events.map((id) => `/events/${this.wire.id('event', id)}`),
      ...groups.map((id) => `/groups/${this.wire.id('group', id)}`),
      ...posts.map((slug) => `/posts/${slug}`),
    ];
    const urls = paths.map((path) => `<url><loc>${escapedHtml(this.wire.page(path))}</loc></url>`).join('\n');
    reply.header('cache-control', 'no-cache').type('application/xml; charset=utf-8');
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
  }
}

function plain(reply: FastifyReply, lines: readonly string[]): string {
  reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8');
  return `${lines.join('\n')}\n`;
}
