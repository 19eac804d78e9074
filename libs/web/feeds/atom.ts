import type { PostResource } from '#areas/posts/post.resource';
import { lazily } from '#platform/loading/lazily';
import { withoutControls, withoutNonXml } from '#platform/text/characters';

const library = lazily<typeof import('feed')>(__filename, 'feed');

/** An Atom feed as it is handed out. */
export interface FeedDocument {
  readonly title: string;
  /** The page that shows the same to people. */
  readonly url: string;
  /** Where the feed itself is; its id. */
  readonly self: string;
  /** Of whoever or whatever it is about: when the feed last changed while nothing is in it. */
  readonly since: string;
  /** The newest first. */
  readonly posts: readonly PostResource[];
}

/**
 * An Atom feed (RFC 4287). The same posts are the same text at any time: nothing in it is of the moment of asking.
 *
 * The library writes titles and texts of entries as CDATA, in which it mends the first `]]>` only, and takes `&amp;` in a plain
 * text for a `&` that was escaped before; nothing leaves out what XML cannot hold. So whatever goes in is made fit here.
 */
export function atomOf({ title, url, self, since, posts }: FeedDocument): string {
  const updated = new Date(posts.reduce((last, { updated_at }) => (updated_at > last ? updated_at : last), since));
  const { Feed } = library();
  const feed = new Feed({
    id: self,
    title: asText(title),
    link: url,
    feed: self,
    updated,
    generator: false,
    copyright: '',
  });
  for (const post of posts) {
    feed.addItem({
      title: asHtml(post.title),
      id: post.url,
      link: post.url,
      date: new Date(post.updated_at),
      ...(post.published_at !== null && { published: new Date(post.published_at) }),
      author: [{ name: asText(post.author.name) }],
      ...(post.excerpt !== null && { description: asHtml(post.excerpt) }),
      content: inCdata(post.body),
    });
  }
  return feed.atom1();
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A plain text as HTML that shows it. */
function asHtml(text: string): string {
  return fit(text).replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}

/** Clean HTML with nothing that would end a CDATA section. */
function inCdata(html: string): string {
  return fit(html).replaceAll(']]>', ']]&gt;');
}

/** A plain text for an element of its own: the library takes back one escaping before it escapes. */
function asText(text: string): string {
  return fit(text).replaceAll('&', '&amp;');
}

function fit(text: string): string {
  return withoutNonXml(withoutControls(text)).replace(/\r\n?/g, '\n');
}
