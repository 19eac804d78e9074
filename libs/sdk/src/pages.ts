import type { CallOptions } from './options.ts';

type Args = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly unknown[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly next_cursor?: string | null };
}

/** As many as a page may have: fewer requests of those that a minute has. */
const PER_PAGE = 100;

/**
 * Reads a list to its end. Where the list has cursors it follows them: nothing that stays in the list is skipped or repeated. Else it follows
 * `links.next`, by the page in it: the host may be another than the one this client talks to.
 */
export async function* itemsOf(
  list: (args?: Args, options?: CallOptions) => Promise<unknown>,
  args: Args = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  let asked: Args = { per_page: PER_PAGE, ...args };
  for (;;) {
    const { data, links, meta } = (await list(asked, options)) as Page;
    yield* data;
    if (meta.next_cursor !== undefined) {
      if (meta.next_cursor === null) return;
      asked = { ...asked, page: undefined, cursor: meta.next_cursor };
      continue;
    }
    if (links.next === null) return;
    asked = { ...asked, page: new URL(links.next, 'http://unused').searchParams.get('page') };
  }
}
