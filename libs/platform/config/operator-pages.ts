import { join } from 'node:path';
import { LOCALES, type Locale } from '#contract/vocabulary';

/** Pages whose texts the operator writes, in the order of the footer. */
export const OPERATOR_PAGES = ['terms', 'privacy', 'imprint', 'help'] as const;
export type OperatorPage = (typeof OPERATOR_PAGES)[number];

export function operatorFile(page: OperatorPage, locale: Locale): string {
  return `${page}.${locale}.md`;
}

/** The names of the files for all pages in all languages. */
export const OPERATOR_FILES: readonly string[] = OPERATOR_PAGES.flatMap((page) =>
  LOCALES.map((locale) => operatorFile(page, locale)),
);

/** The folder that contains these files. */
export function operatorPagesFolder(dataDir: string): string {
  return join(dataDir, 'pages');
}
