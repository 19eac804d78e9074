import { introduction } from '../document/introduction';
import type { DocsContext, DocsPage } from './docs-page';
import { docsTranslator } from './texts';

/**
 * /docs: an introduction to the API, and links to the other pages and to files for tools. In HTML, the reference of the
 * operations follows on the same page.
 */
export function introductionPage({ at, file, locale, origin }: DocsContext): DocsPage {
  const say = docsTranslator(locale);
  const files = [
    `[${say('operations')}](${at('/docs/operations')}) – ${say('operations_list_text')}`,
    `[${say('changes')}](${at('/docs/changes')}) – ${say('changes_text')}`,
    `[${say('webhooks')}](${at('/docs/webhooks')}) – ${say('webhooks_text')}`,
    `[${say('security')}](${at('/docs/security')}) – ${say('security_text')}`,
    `[${say('embedding')}](${at('/docs/embedding')}) – ${say('embedding_text')}`,
    `[${say('errors')}](${at('/docs/errors')}) – ${say('errors_text')}`,
    `${say('openapi')}: [JSON](${file('/openapi.json')}), [YAML](${file('/openapi.yaml')}); [3.0](${file('/openapi-3.0.json')}) ${say('openapi_older')}`,
    `[${say('collection')}](${file('/docs/bruno.json')}) – ${say('collection_text')}`,
    say('sdk_text'),
    `[llms.txt](${file('/llms.txt')}) – ${say('llms_text')}`,
  ];
  const markdown = `# ${say('tagline')}\n\n${introduction(origin, locale)}\n\n## ${say('for_programs')}\n\n${files.map((one) => `- ${one}`).join('\n')}`;
  return { path: '/docs', title: say('introduction'), markdown, hasTableOfContents: true };
}
