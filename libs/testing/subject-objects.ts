import { injectedGet } from './injected-get';
import type { Entry } from './feed';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** An entry of `GET /changes?include=subject`. */
export type EntryWithObject = Entry & { readonly object: unknown };

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- any response of the service */
type Body = any;

/**
 * Returns the expected object of an entry as JSON: the `data` of a GET of the subject's address. If this address is a
 * list or the expenses of an event, the object is an item in the response. The result is undefined if the list does not
 * contain the object, or if the response has no `data`. The result is the text `null` for an expense or payment that
 * the response does not contain, and for an entry that reports that the object is gone.
 */
export async function expectedObject(server: TestServer, person: Person, entry: Entry): Promise<string | undefined> {
  const { type, id } = entry.subject;
  if (entry.type.endsWith('.gone')) return 'null';
  const path = new URL(entry.subject.url).pathname.slice('/api/v1'.length);
  const get = async (query = ''): Promise<Body> => (await injectedGet(server, person, `${path}${query}`)).body?.data;
  const itemOf = async (matches: (item: Body) => boolean, query = '?per_page=100'): Promise<string | undefined> =>
    JSON.stringify(((await get(query)) as Body[] | undefined)?.find(matches));
  if (path.endsWith('/participants')) return itemOf(({ user }) => user.slug === id);
  if (path.endsWith('/members')) {
    for (const status of ['member', 'invited', 'requested']) {
      const item = await itemOf(({ user }) => user.slug === id, `?per_page=100&status=${status}`);
      if (item !== undefined) return item;
    }
    return undefined;
  }
  if (/^\/groups\/\w+\/events$/.test(path)) return itemOf((item) => item.id === id);
  if (path.endsWith('/tickets')) return itemOf(({ code }) => code === id);
  if (path.endsWith('/photos') || path === '/notices') return itemOf((item) => item.id === id);
  if (path.endsWith('/comments')) {
    const roots = (await get('?per_page=100')) as Body[] | undefined;
    return JSON.stringify(roots?.flatMap((root) => [root, ...root.replies]).find((comment) => comment.id === id));
  }
  if (type === 'expense') {
    const response = await get();
    if (response === undefined) return undefined;
    const payments = Object.values(response.summary).flatMap((summary: Body) => summary.payments as Body[]);
    return JSON.stringify([...response.expenses, ...payments].find((item: Body) => item.id === id) ?? null);
  }
  return JSON.stringify(await get());
}
