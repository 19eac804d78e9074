/**
 * A message without somebody whom it names by their slug: whoever is shown by it is "deleted", and the slug is another one wherever it stands
 * by itself or as a part of a path.
 */
export function withoutPerson(body: string, slug: string, other: string): string {
  return JSON.stringify(replaced(JSON.parse(body), slug, other));
}

function replaced(value: unknown, slug: string, other: string): unknown {
  if (typeof value === 'string')
    return value
      .split('/')
      .map((part) => (part === slug ? other : part))
      .join('/');
  if (Array.isArray(value)) return value.map((one) => replaced(one, slug, other));
  if (value === null || typeof value !== 'object') return value;
  if ('slug' in value && value.slug === slug)
    return { ...value, name: 'deleted', nickname: null, slug: other, avatar_url: null };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, slug, other)]));
}
