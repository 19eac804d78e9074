import type { OpenAPIObject } from '@nestjs/swagger';
import { REFUSALS } from '#contract/refusals';
import { TAG_GROUPS } from '../document/tags';

/**
 * /llms.txt, as specified at llmstxt.org: a short description, and links to the Markdown of every page of the
 * documentation. The text is always in English.
 */
export function llmsText({ info }: OpenAPIObject, origin: string): string {
  const page = (title: string, path: string, about: string) => `- [${title}](${origin}${path}): ${about}`;
  const parts = TAG_GROUPS.flatMap(({ tags }) => Object.keys(tags)).join(', ');
  return [
    '# Events API',
    `> ${String((info as { summary?: string }).summary ?? '')} A JSON API under ${origin}/api/v1, version ${info.version}; every request needs \`Authorization: Bearer evt_…\` with a personal token or the token of an app (OAuth 2.1).`,
    `Assistants connect to ${origin}/mcp (Model Context Protocol). The API covers: ${parts}. Errors have a stable \`code\`; each code has a page. New fields may be added to answers at any time.`,
    '## Documentation',
    [
      page(
        'Introduction',
        '/docs.md',
        'the first call, the first app (OAuth), tokens, pages, times, ids, PATCH, errors, limits and retries, languages, testing with the sandbox, versions',
      ),
      page('Operations', '/docs/operations.md', 'every operation with its method, path and summary'),
      page('Changes', '/docs/changes.md', 'every type of change with its meaning and scopes; streams'),
      page('Webhooks', '/docs/webhooks.md', 'messages, signatures, answers, retries, order, gaps, addresses'),
      page(
        'Scopes and security',
        '/docs/security.md',
        'what each OAuth scope allows; how tokens, grants and door links end; how to store tokens; what to do after a leak',
      ),
      page(
        'Calendars, feeds and frames',
        '/docs/embedding.md',
        'addresses that need no token: .ics, Atom, frames on other sites, oEmbed; import',
      ),
      page('Errors', '/docs/errors.md', 'every error code with its status'),
    ].join('\n'),
    '## Machine-readable',
    [
      page('OpenAPI 3.1, JSON', '/openapi.json', 'the whole contract: schemas, examples, refusals of every operation'),
      page('OpenAPI 3.1, YAML', '/openapi.yaml', 'the same'),
      page('OpenAPI 3.0, JSON', '/openapi-3.0.json', 'the same contract, for generators that do not support 3.1'),
      page('Bruno collection', '/docs/bruno.json', 'every operation with its example, to import'),
    ].join('\n'),
    '## Optional',
    Object.entries(REFUSALS)
      .map(([code, { status, en }]) => page(code, `/docs/errors/${code}.md`, `${status}. ${en}`))
      .join('\n'),
    '',
  ].join('\n\n');
}
