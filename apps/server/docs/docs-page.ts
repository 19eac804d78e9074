import type { Locale } from '#contract/vocabulary';
import type { DescribedOperation } from './operations';

/** A page of the documentation. It is written in Markdown and served as HTML; `PATH.md` serves the Markdown. */
export interface DocsPage {
  /** The path below BASE_URL, for example `/docs/errors`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  readonly hasTableOfContents?: boolean;
}

/** The values that a page needs to render its content. */
export interface DocsContext {
  readonly locale: Locale;
  /** The public address of the server: its origin, and the path of BASE_URL if it has one. */
  readonly origin: string;
  readonly operations: readonly DescribedOperation[];
  /**
   * Returns a link to the page at `path`. In HTML, the link is the path of the page. Markdown is read in other
   * programs, so a link in Markdown is a full address. It leads to the page's Markdown, or to its HTML if `path` has a
   * `#`.
   */
  readonly at: (path: string) => string;
  /** Returns a link to a file: in HTML the path of the file, in Markdown the file's full address. */
  readonly file: (path: string) => string;
}
