import { basePathOf } from '#platform/config/base-path';
import { REPORT_SUBJECTS, type ReportSubject } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { parseUrl } from '#platform/text/url';

/** The kinds of objects that have their own page. The key is the first part of the path of this page. */
const PAGES = {
  events: 'event',
  groups: 'group',
  posts: 'post',
  people: 'user',
  series: 'series',
} as const satisfies Record<string, ReportSubject>;

/** The reported object in a report form. */
export interface ReportedObjectName {
  readonly type: ReportSubject;
  readonly id: string;
}

/**
 * Reads the reported object from the parameters `type` and `id` of the report form. Returns null if `type` is missing.
 * Throws 404 for an unknown type, for a missing id, and for an id with a NUL, which PostgreSQL does not accept
 * (MOD-71).
 */
export function reportedObjectNamed(type: string | undefined, id: string | undefined): ReportedObjectName | null {
  if (type === undefined) return null;
  const known = REPORT_SUBJECTS.find((one) => one === type);
  if (!known || !id || id.includes('\0')) throw new Refusal('not_found');
  return { type: known, id };
}

/**
 * Reads the reported object from the address of its page or from the address of a page below it. Returns null for any
 * other address.
 */
export function reportedObjectAt(address: string, baseUrl: string): ReportedObjectName | null {
  const base = new URL(baseUrl);
  const url = parseUrl(address.trim(), baseUrl);
  const prefix = basePathOf(baseUrl);
  if (!url || url.host !== base.host || !url.pathname.startsWith(`${prefix}/`)) return null;
  const [part = '', id = ''] = url.pathname.slice(prefix.length + 1).split('/');
  return Object.hasOwn(PAGES, part) && id !== ''
    ? { type: PAGES[part as keyof typeof PAGES], id: id.replace(/\.ics$/, '') }
    : null;
}

/** The path of an object's page; null if the object has no page. `idOrSlug` is the last part of the path. */
export function pathOfObject(type: ReportSubject, idOrSlug: string): string | null {
  const part = Object.entries(PAGES).find(([, kind]) => kind === type)?.[0];
  return part === undefined ? null : `/${part}/${encodeURIComponent(idOrSlug)}`;
}
