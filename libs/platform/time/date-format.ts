import { LRUCache } from 'lru-cache';

/** Maximum number of cached formats, which is enough for many time zones. Each format takes about 30 KB. */
const MAX_FORMATS = 300;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MAX_FORMATS });

/**
 * Returns `new Intl.DateTimeFormat(tag, options)`. Formats are cached, because the creation of a format takes longer
 * than its use.
 */
export function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([tag, options]);
  const stored = formats.get(key);
  if (stored) return stored;
  const format = new Intl.DateTimeFormat(tag, options);
  formats.set(key, format);
  return format;
}
