/**
 * Returns a message without the person with this slug: the name becomes "deleted", and `other` replaces the slug where
 * the slug is a whole value or a part of a path.
 */
export function withoutPerson(body: string, slug: string, other: string): string {
  return JSON.stringify(withReplacedPerson(JSON.parse(body), slug, other));
}

function withReplacedPerson(value: unknown, slug: string, other: string): unknown {
  if (typeof value === 'string')
    return value
      .split('/')
      .map((part) => (part === slug ? other : part))
      .join('/');
  if (Array.isArray(value)) return value.map((one) => withReplacedPerson(one, slug, other));
  if (value === null || typeof value !== 'object') return value;
  if ('slug' in value && value.slug === slug)
    return { ...value, name: 'deleted', nickname: null, slug: other, avatar_url: null };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReplacedPerson(one, slug, other)]));
}
