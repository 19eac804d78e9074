import { Feed } from 'feed';
import type { PostResource } from '#areas/posts/post.resource';
import { escapedHtml, withoutControls, withoutNonXml } from '#platform/text/characters';

/** The data of an Atom feed. */
export interface FeedDocument {
  readonly title: string;
  /** The address of the HTML page with the same content. */
  readonly url: string;
  /** The address of the feed. It is also the id of the feed. */
  readonly self: string;
  /** When the person or group was created. A feed without posts reports this time as its last change. */
  readonly since: string;
  /** The entries. The post that was published last comes first. */
  readonly posts: readonly PostResource[];
}

/**
 * An Atom feed (RFC 4287). The same document always gives the same text: the text contains no time of the request.
 *
 * The library writes titles and texts of entries as CDATA. It escapes only the first `]]>` of a text, unescapes `&amp;`
 * in plain texts, and keeps characters that XML does not allow. Therefore, the functions below prepare the input.
 */
export function atomOf({ title, url, self, since, posts }: FeedDocument): string {
  const updated = new Date(posts.reduce((last, { updated_at }) => (updated_at > last ? updated_at : last), since));
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

/** A plain text as HTML. */
function asHtml(text: string): string {
  return escapedHtml(cleaned(text));
}

/** Sanitized HTML without the sequence that ends a CDATA section. */
function inCdata(html: string): string {
  return cleaned(html).replaceAll(']]>', ']]&gt;');
}

/** A plain text for an element. `&` is escaped here, because the library unescapes a text once before escaping it. */
function asText(text: string): string {
  return cleaned(text).replaceAll('&', '&amp;');
}

function cleaned(text: string): string {
  return withoutNonXml(withoutControls(text)).replace(/\r\n?/g, '\n');
}
