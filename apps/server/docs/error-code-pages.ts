import { STATUS_CODES } from 'node:http';
import { CONFLICT_SITUATIONS, VALIDATION_SITUATIONS } from '#contract/help-situations';
import { REFUSAL_HELP } from '#contract/help';
import { REFUSALS, SERVICE_UNAVAILABLE, type RefusalCode } from '#contract/refusals';
import type { Locale } from '#contract/vocabulary';
import { METADATA_PATH } from '#platform/http/challenge';
import { hasHelpLink } from '#platform/http/help-link';
import { API } from '#platform/http/paths';
import { FIELD_MESSAGES } from '#platform/messages/field-messages';
import { refusalBody } from '../document/refusals';
import type { DocsContext, DocsPage } from './docs-page';
import { anchorOf, type DescribedOperation } from './operations';
import { docsTranslator } from './texts';

/** If at most this many operations return a code, the page lists each operation on a separate line. */
const MAX_LISTED = 20;

/** In the OpenAPI document, all operations that only read have this method. */
const READ_METHOD = 'GET';

const CODES = Object.keys(REFUSALS) as RefusalCode[];

/** Whether the name is an error code, such as `event_full`. */
export function isRefusalCode(name: string): name is RefusalCode {
  return Object.hasOwn(REFUSALS, name);
}

/** The page of all error codes, grouped by status. */
export function errorIndex({ at, locale, origin }: DocsContext): DocsPage {
  const say = docsTranslator(locale);
  const statuses = [...new Set(CODES.map((code) => REFUSALS[code].status))].sort((one, other) => one - other);
  const parts = statuses.map((status) => {
    const rows = CODES.filter((code) => REFUSALS[code].status === status).map(
      (code) => `| [\`${code}\`](${at(`/docs/errors/${code}`)}) | ${REFUSALS[code][locale]} |`,
    );
    return `## ${statusLine(status)}\n\n| ${say('code')} | ${say('text')} |\n|---|---|\n${rows.join('\n')}`;
  });
  return {
    path: '/docs/errors',
    title: say('errors'),
    markdown: [`# ${say('errors')}`, say('errors_intro'), example('event_full', locale, origin), ...parts].join('\n\n'),
  };
}

/**
 * The page of an error code: its meaning, what to do, an example, and the operations that return the code (REF-1). For
 * `conflict` and `validation_failed`, the page also lists the situations in which the code is returned; for
 * `validation_failed`, it also lists the messages about fields.
 */
export function errorPage(code: RefusalCode, { at, locale, origin, operations }: DocsContext): DocsPage {
  const say = docsTranslator(locale);
  const { status, [locale]: text } = REFUSALS[code];
  const { meaning, advice } = REFUSAL_HELP[code][locale];
  const statuses = code === SERVICE_UNAVAILABLE.code ? [status, SERVICE_UNAVAILABLE.status] : [status];
  const markdown = [
    `# \`${code}\``,
    `**${statuses.map((one) => `HTTP ${statusLine(one)}`).join(' · ')}** – ${text}`,
    `## ${say('meaning')}\n\n${meaning}`,
    ...situations(code, locale),
    `## ${say('advice')}\n\n${advice}`,
    `## ${say('example')}\n\n${example(code, locale, origin)}`,
    `## ${say('operations')}\n\n${operationsText(code, operations, { at, locale })}`,
    `[${say('all_errors')}](${at('/docs/errors')})`,
  ].join('\n\n');
  return { path: `/docs/errors/${code}`, title: code, markdown };
}

function situations(code: RefusalCode, locale: Locale): string[] {
  const say = docsTranslator(locale);
  const list = (all: readonly Readonly<Record<Locale, string>>[]) => all.map((one) => `- ${one[locale]}`).join('\n');
  if (code === 'conflict') {
    return [
      `## ${say('situations')}\n\n${CONFLICT_SITUATIONS.map((one) => `- ${one.operations.map((id) => `\`${id}\``).join(', ')}: ${one[locale]}`).join('\n')}`,
    ];
  }
  if (code !== 'validation_failed') return [];
  return [
    `## ${say('situations')}\n\n${list(VALIDATION_SITUATIONS)}`,
    `## ${say('field_texts')}\n\n${say('field_texts_text')}\n\n${list(FIELD_MESSAGES)}`,
  ];
}

/** An example of a whole response: the status line, the headers and the body. */
function example(code: RefusalCode, locale: Locale, origin: string): string {
  const { status } = REFUSALS[code];
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Language: ${locale}`,
    ...(status === 401 ? [`WWW-Authenticate: Bearer resource_metadata="${origin}${METADATA_PATH}${API}"`] : []),
    ...(code === 'insufficient_scope'
      ? ['WWW-Authenticate: Bearer error="insufficient_scope", scope="events:write"']
      : []),
    ...(code === 'method_not_allowed' ? ['Allow: GET, HEAD'] : []),
    ...(status === 429 || code === 'request_in_progress' ? ['Retry-After: 30'] : []),
    ...(hasHelpLink(status) ? [`Link: <${origin}/docs/errors/${code}>; rel="help"`] : []),
  ];
  return `\`\`\`http\nHTTP/1.1 ${statusLine(status)}\n${headers.join('\n')}\n\n${JSON.stringify(refusalBody(code, locale), null, 2)}\n\`\`\``;
}

function operationsText(
  code: RefusalCode,
  operations: readonly DescribedOperation[],
  { at, locale }: Pick<DocsContext, 'at' | 'locale'>,
): string {
  const say = docsTranslator(locale);
  const returning = operations.filter(({ codes }) => codes.has(code));
  const count = returning.length;
  if (count === 0) return say('operations_none');
  const linked = (one: DescribedOperation) => `[\`${one.id}\`](${at(`/docs${anchorOf(one)}`)})`;
  const also = code === 'not_found' ? `\n\n${say('operations_unknown_path')}` : '';
  if (count <= MAX_LISTED)
    return returning.map((one) => `- ${linked(one)} – \`${one.method} ${one.path}\`: ${one.summary}`).join('\n') + also;
  if (count === operations.length) return say('operations_every', { count }) + also;
  if (
    returning.every(({ method }) => method !== READ_METHOD) &&
    count === operations.filter(({ method }) => method !== READ_METHOD).length
  )
    return say('operations_writing', { count }) + also;
  return `${say('operations_many', { count })} ${returning.map(linked).join(', ')}.${also}`;
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
