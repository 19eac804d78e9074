import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Marked } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { LOCALES, type Locale } from '#contract/vocabulary';
import { OPERATOR_PAGES, operatorFile, operatorPagesFolder, type OperatorPage } from '#platform/config/operator-pages';
import { Settings } from '#platform/config/settings';
import { escapedHtml } from '#platform/text/characters';

/** A text in one language. */
export interface OperatorText {
  readonly html: string;
  readonly locale: Locale;
}

/** Texts that the operator writes for the pages in the footer (PAGE-73): `DATA_DIR/pages/<name>.<locale>.md`. */
@Injectable()
export class OperatorTexts {
  private readonly folder: string;
  private readonly marked = new Marked({ renderer: { html: ({ text }) => escapedHtml(text) } });

  constructor({ dataDir }: Settings) {
    this.folder = operatorPagesFolder(dataDir);
  }

  /**
   * The pages that exist in at least one language, in the order of the footer. A new file is found without a restart.
   */
  async existing(): Promise<OperatorPage[]> {
    const files = new Set(await readdir(this.folder).catch(() => []));
    return OPERATOR_PAGES.filter((name) => LOCALES.some((locale) => files.has(operatorFile(name, locale))));
  }

  /** The text in this language, otherwise in the other language; null if neither file can be read. */
  async read(name: OperatorPage, locale: Locale): Promise<OperatorText | null> {
    for (const language of [locale, ...LOCALES.filter((one) => one !== locale)]) {
      const text = await readFile(join(this.folder, operatorFile(name, language)), 'utf8').catch(() => null);
      if (text !== null) return { html: this.htmlOf(text), locale: language };
    }
    return null;
  }

  /**
   * Converts Markdown; HTML tags in it are shown as text. Links may lead to websites, mail addresses and pages of this
   * service.
   */
  private htmlOf(markdown: string): string {
    return sanitizeHtml(this.marked.parse(markdown, { async: false }), {
      allowedTags: [...sanitizeHtml.defaults.allowedTags, 'h1', 'h2'],
      allowedAttributes: { a: ['href'] },
      allowedSchemes: ['http', 'https', 'mailto'],
    });
  }
}
