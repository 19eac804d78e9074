import { pathWith, type Operation } from '../document';
import type { Answer } from '../response-validator';
import type { Session } from '../session';
import { summary } from './admission';

interface PageBody {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly links: { readonly next: string | null; readonly prev: string | null };
  readonly meta: { readonly total: number; readonly current_page: number; readonly per_page: number };
}

/**
 * Operations whose responses may change between two reads, because the reads themselves count towards a limit
 * (`listLimits`), or because other clients write (`listChanges`).
 */
const CHANGING: ReadonlySet<string> = new Set(['listLimits', 'listChanges']);
/** Lists to which every request adds an entry, so that their pages may overlap. */
const GROWING: ReadonlySet<string> = new Set(['listRequests']);
/** Maximum number of pages read from one list. */
const MAX_PAGES = 3;
/** Values for required query parameters. */
const REQUIRED_PARAMETERS: Readonly<Record<string, string>> = {
  lat: '50.1',
  lng: '14.4',
  latitude: '50.1',
  longitude: '14.4',
  q: 'no',
};

/**
 * Tests every GET operation without a path parameter, and the GET operations for one item of each list: the shape and
 * the headers of the response, ETags, pages, and invalid values of enumerated parameters.
 */
export async function reading(session: Session): Promise<void> {
  const reads = session.operations.filter(({ method }) => method === 'GET');
  const knownResources = new Map<string, Record<string, string>>();
  for (const operation of reads.filter(({ pathNames }) => pathNames.length === 0))
    await testRead(session, operation, {}, knownResources);
  // `testPages` has read some pages of each list (/things), and has stored the first item of the last page with items.
  // This item is now read at /things/{id} and at the paths below /things/{id}.
  for (const operation of reads.filter(({ pathNames }) => pathNames.length === 1)) {
    const pathValues = knownResources.get(operation.path.slice(0, operation.path.indexOf('/{')));
    if (pathValues) await testRead(session, operation, pathValues, knownResources);
  }
}

async function testRead(
  session: Session,
  operation: Operation,
  pathValues: Record<string, string>,
  knownResources: Map<string, Record<string, string>>,
): Promise<void> {
  const query = Object.fromEntries(
    operation.query.filter(({ required }) => required).map(({ name }) => [name, REQUIRED_PARAMETERS[name] ?? '1']),
  );
  const answer = await session.call(operation, { pathValues, query });
  // The account may lack rights on resources of other accounts (403, 404), and a path may request something that does
  // not exist for this account: an organizer has no check-in code (409).
  if (answer.status !== 200)
    return session.expect(
      [403, 404, 409].includes(answer.status) && operation.pathNames.length > 0,
      operation.id,
      `is ${summary(answer)}`,
    );
  await testNotModified(session, operation, answer, pathValues, query);
  if (operation.isPaged) await testPages(session, operation, pathValues, query, knownResources);
  for (const { name, schema } of operation.query) {
    if (!session.valuesOf(schema)) continue;
    const refused = await session.call(operation, { pathValues, query: { ...query, [name]: 'no-such-value' } });
    session.expect(
      refused.status === 422 && namesError(refused, name),
      operation.id,
      `${name}=no-such-value is ${summary(refused)}, not 422 on ${name}`,
    );
  }
}

/** RFC 9110: a matching tag results in a 304 without a body, any other tag in a full response. */
async function testNotModified(
  session: Session,
  operation: Operation,
  answer: Answer,
  pathValues: Record<string, string>,
  query: Record<string, string>,
): Promise<void> {
  const tag = answer.headers.get('etag');
  session.expect(tag !== null, operation.id, 'a 200 has no ETag');
  if (tag === null || CHANGING.has(operation.id)) return;
  const repeated = await session.call(operation, {
    pathValues,
    query,
    headers: { 'if-none-match': `"another", ${tag}` },
  });
  session.expect(
    repeated.status === 304 || repeated.headers.get('etag') !== tag,
    operation.id,
    `with its ETag in If-None-Match is ${repeated.status}, not 304`,
  );
  session.expect(
    repeated.status !== 304 || (repeated.text === '' && repeated.headers.get('etag') !== null),
    operation.id,
    'a 304 has a body, or no ETag',
  );
  const withAnotherTag = await session.call(operation, {
    pathValues,
    query,
    headers: { 'if-none-match': '"another"' },
  });
  session.expect(
    withAnotherTag.status === 200,
    operation.id,
    `with another tag in If-None-Match is ${withAnotherTag.status}, not 200`,
  );
}

async function testPages(
  session: Session,
  operation: Operation,
  pathValues: Record<string, string>,
  query: Record<string, string>,
  knownResources: Map<string, Record<string, string>>,
): Promise<void> {
  for (const [name, value] of [
    ['page', '0'],
    ['per_page', '101'],
    ['per_page', 'x'],
  ] as const) {
    const refused = await session.call(operation, { pathValues, query: { ...query, [name]: value } });
    session.expect(
      refused.status === 422 && namesError(refused, name),
      operation.id,
      `${name}=${value} is ${summary(refused)}, not 422 on ${name}`,
    );
  }
  const found: string[] = [];
  let requested: Record<string, string> = { ...query, per_page: '2' };
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { body } = await session.call(operation, { pathValues, query: requested });
    const { data = [], links, meta } = (body ?? {}) as Partial<PageBody>;
    if (!links || !meta) return;
    found.push(...data.map((one) => JSON.stringify(one['id'] ?? one['slug'] ?? one['code'] ?? one)));
    const first = data[0];
    if (first)
      knownResources.set(
        operation.path,
        Object.fromEntries(
          ['id', 'slug', 'code'].flatMap((name) => (typeof first[name] === 'string' ? [[name, first[name]]] : [])),
        ),
      );
    const expected = Math.max(0, Math.min(2, meta.total - 2 * (page - 1)));
    session.expect(
      data.length === expected,
      operation.id,
      `the number of elements on page ${page} with per_page=2 is ${data.length}, not ${expected} (meta.total is ${meta.total})`,
    );
    session.expect(
      (links.next !== null) === meta.total > 2 * page,
      operation.id,
      `links.next on page ${page} of ${meta.total} elements is ${links.next}`,
    );
    session.expect((links.prev !== null) === page > 1, operation.id, `links.prev on page ${page} is ${links.prev}`);
    session.expect(
      meta.current_page === page && meta.per_page === 2,
      operation.id,
      `page ${page} with per_page=2 has meta.current_page=${meta.current_page} and meta.per_page=${meta.per_page}`,
    );
    if (links.next === null) break;
    const next = new URL(links.next);
    session.expect(
      next.pathname.endsWith(pathWith(operation, pathValues)) && next.searchParams.get('per_page') === '2',
      operation.id,
      `links.next leads to ${links.next}`,
    );
    requested = Object.fromEntries(next.searchParams);
  }
  session.expect(GROWING.has(operation.id) || new Set(found).size === found.length, operation.id, 'its pages overlap');
}

function namesError({ body }: Answer, name: string): boolean {
  const { code, errors } = (body ?? {}) as { code?: unknown; errors?: Record<string, unknown> };
  return code === 'validation_failed' && errors !== undefined && name in errors;
}
