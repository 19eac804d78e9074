import type { Locale } from '#contract/vocabulary';
import type { DescribedOperation } from './operations';

/** A page below /docs: written in Markdown, shown as HTML, and served as it was written under the same path with `.md`. */
export interface DocsPage {
  /** Without the path of BASE_URL. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  /** Has a list of its headings. */
  readonly contents?: boolean;
}

/** What a page is made of, and for whom. */
export interface DocsContext {
  readonly locale: Locale;
  /** Public origin of the server, with the path of BASE_URL. */
  readonly origin: string;
  readonly operations: readonly DescribedOperation[];
  /** How a page leads to another of ours: HTML by the path, Markdown, which is read elsewhere, by the whole address and as Markdown. */
  readonly at: (path: string) => string;
  /** How it leads to what is no page: the same, but there is no Markdown of it. */
  readonly file: (path: string) => string;
}
