import { TAG_GROUPS } from '../document/tags';
import type { DocsContext, DocsPage } from './docs-page';
import { anchorOf } from './operations';
import { docsTranslator } from './texts';

/** The page /docs/operations: all operations in tables, one table for each tag. The page needs no script. */
export function operationsPage({ at, file, locale, operations }: DocsContext): DocsPage {
  const say = docsTranslator(locale);
  const parts = TAG_GROUPS.flatMap(({ tags }) => Object.entries(tags)).map(([tag, about]) => {
    const rows = operations
      .filter((one) => one.tag === tag)
      .map(
        (one) => `| [\`${one.id}\`](${at(`/docs${anchorOf(one)}`)}) | \`${one.method} ${one.path}\` | ${one.summary} |`,
      );
    return `## ${tag}\n\n${about}\n\n| ${say('operation')} | ${say('request')} | ${say('what_it_does')} |\n|---|---|---|\n${rows.join('\n')}`;
  });
  const markdown = [
    `# ${say('operations')}`,
    say('operations_intro', { reference: at('/docs#reference'), document: file('/openapi.json') }),
    ...parts,
  ].join('\n\n');
  return { path: '/docs/operations', title: say('operations'), markdown };
}
