import type { Locale } from '#contract/vocabulary';
import type { DescribedOperation } from './operations';

/** A page of the documentation. It is written in Markdown and served as HTML; `PATH.md` serves the Markdown. */
export interface DocsPage {
  /** The path, without the path of BASE_URL. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  /** Whether the page has a table of contents. */
  readonly contents?: boolean;
}

/** The values that a page needs to render its content. */
export interface DocsContext {
  readonly locale: Locale;
  /** Public origin of the server, with the path of BASE_URL. */
  readonly origin: string;
  readonly operations: readonly DescribedOperation[];
  /**
   * A link to another page. In HTML, the link is the path of the page. Markdown is read in other programs, so a
   * link in Markdown is a full address: of the other page's Markdown, or of its HTML if the link has a `#`.
   */
  readonly at: (path: string) => string;
  /** A link to a file: its path in HTML, its full address in Markdown. */
  readonly file: (path: string) => string;
}
