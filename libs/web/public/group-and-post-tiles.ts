import { textOfHtml } from '#platform/text/html';
import type { GroupResource } from '#areas/groups/group.resource';
import type { PostResource } from '#areas/posts/post.resource';
import { localListDay } from '../local-time';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { excerptOf } from './excerpt';
import { distanceText, type Tile } from './tile';

export function groupTiles(groups: readonly GroupResource[], { locale }: Reader): Tile[] {
  const say = translator(locale);
  return groups.map((group) => ({
    href: `/groups/${group.id}`,
    title: group.name,
    image: group.cover_url ?? group.avatar_url,
    when: null,
    where: group.description && excerptOf(group.description),
    chips: [
      ...(group.location_name ? [{ text: group.location_name }] : []),
      ...(group.distance_km === undefined ? [] : [{ text: distanceText(group.distance_km, locale) }]),
    ],
    more: say('members', { count: group.members_count }),
  }));
}

export function postTiles(posts: readonly PostResource[], reader: Reader, now: Date): Tile[] {
  const say = translator(reader.locale);
  return posts.map((post) => ({
    href: `/posts/${post.slug}`,
    title: post.title,
    image: post.cover_thumb_url,
    when: post.published_at === null ? say('draft') : localListDay(reader, new Date(post.published_at), now),
    where: excerptOf(post.excerpt ?? textOfHtml(post.body)),
    chips: post.categories.map((category) => ({ text: say(`category_${category}`) })),
    more: post.author.name,
  }));
}
