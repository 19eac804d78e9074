import { Eta } from 'eta';
import { webFolder } from '#web/folder';
import type { Locale } from '#contract/vocabulary';
import type { DocsPage } from './docs-page';
import { headingsOf, htmlOf } from './markdown';
import { docsTranslator } from './texts';

/**
 * Renders the HTML of /docs and of the pages below it. These pages have no sign-in, so all readers who use the same
 * language get the same page.
 */
export class DocsLayout {
  private readonly eta = new Eta({ views: webFolder('views'), cache: true });

  /** `base`: the path of BASE_URL; empty if BASE_URL has no path. */
  constructor(private readonly base: string) {}

  html({ path, title, markdown, hasTableOfContents }: DocsPage, locale: Locale): string {
    const headings = hasTableOfContents ? headingsOf(markdown) : null;
    return this.eta.render('./docs', {
      path,
      title,
      headings,
      html: htmlOf(markdown),
      base: this.base,
      locale,
      say: docsTranslator(locale),
    });
  }
}
