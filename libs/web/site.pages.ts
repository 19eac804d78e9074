import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DiscoverReader } from '#areas/discover/discover.reader';
import { GroupsReader } from '#areas/groups/groups.reader';
import { PostsReader } from '#areas/posts/posts.reader';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';

/** Nothing for search engines: what is one's own, secret addresses, and what only forms lead to. */
const KEPT_OUT = ['/account', '/api', '/calendar', '/groups/join', '/sign-in'];
/** Addresses of each kind, the next or newest; a file of them may have 50,000. */
const LISTED = 5_000;
const EXPIRES_MS = 180 * 86_400_000;

/** What programs look for at every site: robots.txt, sitemap.xml, security.txt (PAGE-32). */
@Injectable()
export class SitePages {
  constructor(
    private readonly settings: Settings,
    private readonly events: DiscoverReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get('/robots.txt', async (_request, reply) => plain(reply, this.robots()));
    fastify.get('/sitemap.xml', async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/xml; charset=utf-8')
        .send(await this.sitemap()),
    );
    for (const path of ['/.well-known/security.txt', '/security.txt'])
      fastify.get(path, async (_request, reply) => plain(reply, this.security()));
  }

  private robots(): string {
    const base = new URL(this.settings.baseUrl).pathname.replace(/\/$/, '');
    return [
      'User-agent: *',
      ...KEPT_OUT.map((path) => `Disallow: ${base}${path}`),
      `Sitemap: ${this.wire.page('/sitemap.xml')}`,
    ].join('\n');
  }

  private security(): string {
    const { securityContact } = this.settings;
    if (securityContact === null) throw new Refusal('not_found');
    const expires = toWire(new Date(this.clock.now().getTime() + EXPIRES_MS));
    return [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: cs, en',
      `Canonical: ${this.wire.page('/.well-known/security.txt')}`,
    ].join('\n');
  }

  private async sitemap(): Promise<string> {
    const [events, groups, posts] = await Promise.all([
      this.events.listedIds(LISTED),
      this.groups.listedIds(LISTED),
      this.posts.publishedSlugs(LISTED),
    ]);
    const paths = [
      '/',
      '/groups',
      '/posts',
      ...events.map((id) => `/events/${this.wire.id('event', id)}`),
      ...groups.map((id) => `/groups/${this.wire.id('group', id)}`),
      ...posts.map((slug) => `/posts/${slug}`),
    ];
    const urls = paths.map((path) => `<url><loc>${escaped(this.wire.page(path))}</loc></url>`).join('\n');
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
  }
}

function plain(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(`${text}\n`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
