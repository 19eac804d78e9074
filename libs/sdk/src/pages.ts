import type { CallOptions } from './options.ts';

type Args = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly unknown[];
  readonly links: { readonly next: string | null };
}

/** The maximum page size: needs the fewest requests. */
const PER_PAGE = 100;

/** Follows `links.next` to the end, using only its page number: its host may differ from this client's. */
export async function* itemsOf(
  list: (args?: Args, options?: CallOptions) => Promise<unknown>,
  args: Args = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  let asked: Args = { per_page: PER_PAGE, ...args };
  for (;;) {
    const { data, links } = (await list(asked, options)) as Page;
    yield* data;
    if (links.next === null) return;
    asked = { ...asked, page: new URL(links.next, 'http://unused').searchParams.get('page') };
  }
}
