import type { CallOptions } from './options.ts';

type Args = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly unknown[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly next_cursor?: string | null };
}

/** The maximum page size. With this size, a list needs the fewest requests. */
const PER_PAGE = 100;

/**
 * Reads a list to its end. A list with cursors is read by cursor, so no item that stays in the list is skipped or
 * repeated. `isNewestFirst` must be true for a list in which new items appear at the beginning. The next page of such a
 * list is requested with the query parameter `before`, whose value is the id of the last item. All other lists are read
 * by the page number in `links.next`. The host in `links.next` is ignored, because it may differ from this client's
 * host.
 */
export async function* itemsOf(
  list: (args?: Args, options?: CallOptions) => Promise<unknown>,
  args: Args = {},
  options?: CallOptions,
  isNewestFirst = false,
): AsyncGenerator<unknown, void, undefined> {
  let currentArgs: Args = { per_page: PER_PAGE, ...args };
  for (;;) {
    const { data, links, meta } = (await list(currentArgs, options)) as Page;
    yield* data;
    if (meta.next_cursor !== undefined) {
      if (meta.next_cursor === null) return;
      currentArgs = { ...currentArgs, page: undefined, cursor: meta.next_cursor };
      continue;
    }
    if (links.next === null) return;
    if (isNewestFirst) {
      currentArgs = { ...currentArgs, page: undefined, before: (data.at(-1) as { readonly id: string }).id };
      continue;
    }
    currentArgs = { ...currentArgs, page: new URL(links.next, 'http://unused').searchParams.get('page') };
  }
}
