import { CHANGE_TEXTS } from '#contract/change-texts';
import { CHANGE_SUBJECTS, CHANGE_TYPES } from '#contract/changes';
import type { DocsContext, DocsPage } from './docs-page';
import { docsTranslator } from './texts';

/** /docs/changes: every type of change with its meaning (REF-11). */
export function changesPage({ at, locale }: DocsContext): DocsPage {
  const say = docsTranslator(locale);
  const parts = CHANGE_SUBJECTS.map((subject) => {
    const rows = CHANGE_TYPES.filter((type) => type.startsWith(`${subject}.`)).map(
      (type) => `| \`${type}\` | ${CHANGE_TEXTS[type][locale]} |`,
    );
    return `## ${subject}\n\n| ${say('change_type')} | ${say('meaning')} |\n|---|---|\n${rows.join('\n')}`;
  });
  const intro = say('changes_intro', { webhooks: at('/docs/webhooks') });
  return {
    path: '/docs/changes',
    title: say('changes'),
    markdown: [`# ${say('changes')}`, intro, ...parts].join('\n\n'),
  };
}
