/**
 * Returns a message without the person with this slug: the name becomes "deleted", and `replacement` replaces the slug
 * where the slug is a whole value or a part of a path.
 */
export function withoutPerson(body: string, slug: string, replacement: string): string {
  return JSON.stringify(withReplacedPerson(JSON.parse(body), slug, replacement));
}

function withReplacedPerson(value: unknown, slug: string, replacement: string): unknown {
  if (typeof value === 'string')
    return value
      .split('/')
      .map((part) => (part === slug ? replacement : part))
      .join('/');
  if (Array.isArray(value)) return value.map((item) => withReplacedPerson(item, slug, replacement));
  if (value === null || typeof value !== 'object') return value;
  if ('slug' in value && value.slug === slug)
    return { ...value, name: 'deleted', nickname: null, slug: replacement, avatar_url: null };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withReplacedPerson(item, slug, replacement)]),
  );
}
