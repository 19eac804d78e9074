import type { Locale } from '#contract/vocabulary';
import type { DescribedOperation } from './operations';

/** A page below /docs: written in Markdown, served as HTML, and as Markdown under the same path with `.md`. */
export interface DocsPage {
  /** The path, without that of BASE_URL. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  /** Whether it has a table of contents. */
  readonly contents?: boolean;
}

/** Context of a page's content. */
export interface DocsContext {
  readonly locale: Locale;
  /** Public origin of the server, with the path of BASE_URL. */
  readonly origin: string;
  readonly operations: readonly DescribedOperation[];
  /**
   * A link to another page: in HTML its path; in Markdown, which is read elsewhere, the full address of its Markdown.
   */
  readonly at: (path: string) => string;
  /** A link to a file, which has the same address in HTML and Markdown pages. */
  readonly file: (path: string) => string;
}
