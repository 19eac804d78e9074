import type sanitizeHtml from 'sanitize-html';
import { LINK_PROTOCOLS, LINK_REL } from '#contract/vocabulary';
import { lazily } from '../loading/lazily';
import { isVisible, withoutControls } from './characters';
import { parseUrl } from './url';

const sanitizer = lazily<typeof import('sanitize-html')>(__filename, 'sanitize-html');

/**
 * Returns HTML that is safe to show. It contains only the allowed tags, correctly nested, to the depth `MAX_DEPTH`.
 * Comments and the elements script, style, textarea, option and xmp are removed with their content. `a` keeps its href
 * if the href is an absolute http, https or mailto address without a user name and password, and gets a `rel`. All
 * other attributes are removed (WIRE-20, WIRE-21). Cleaning the result again changes nothing. The allowed tags are in
 * contract/vocabulary.ts.
 */
export function cleanHtml(html: string, allowedTags: readonly string[]): string {
  const options = optionsFor(allowedTags);
  let clean = html;
  for (let round = 0, dirty = ''; round < MAX_ROUNDS && clean !== dirty; round++) {
    dirty = clean;
    // Control characters are removed from the output, because an entity such as `&#7;` becomes a control character only
    // in the output.
    clean = withoutControls(sanitize(dirty, options, round > 0)).trim();
    // A text without tags needs no further round.
    if (!clean.includes('<')) break;
  }
  return clean;
}

/** Whether sanitized HTML contains a visible character. */
export function hasVisibleText(html: string): boolean {
  return isVisible(sanitize(html, NO_TAGS, true));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The text of sanitized HTML. Paragraphs, headings, list items, quotations and `<br />` end a line. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<br ?\/?>|<\/(p|li|h[1-4]|blockquote)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .trim();
}

/**
 * Returns the text without HTML tags. Other characters are not changed (`1 < 2 & 3`, `&lt;`), except that a `<` which
 * would still begin a tag gets a space after it. The text is therefore also safe in clients that interpret it as HTML.
 * The result is trimmed and can be empty.
 */
export function plainText(text: string): string {
  let stripped = text;
  for (let round = 0; round < MAX_ROUNDS && TAG_START.test(stripped); round++) stripped = stripOnce(stripped);
  return stripped.replace(TAG_STARTS, '< ').trim();
}

/**
 * A placeholder for `<` during parsing. Without the placeholder, the parser would return each `<` that opens no tag,
 * and each `&lt;`, as a separate text. Cleaning these texts would take about ten times as long as cleaning the same
 * number of letters. The placeholder is an unpaired surrogate: no well-formed text contains it, and no entity produces
 * it. `&lt;` is replaced only in HTML that was already cleaned. Other HTML may contain elements such as `<textarea>`
 * and `<xmp>`, in whose raw text the parser does not decode `&lt;`.
 */
const LT_PLACEHOLDER = '\udc3c';
const SURROGATES = /\p{Surrogate}/gu;
const LONE_LT = /<(?![a-z/!?])/gi;
const LONE_LT_OR_ENTITY = /<(?![a-z/!?])|&lt;/gi;

function sanitize(html: string, options: sanitizeHtml.IOptions, isClean: boolean): string {
  const readable = html.replace(SURROGATES, '\ufffd').replace(isClean ? LONE_LT_OR_ENTITY : LONE_LT, LT_PLACEHOLDER);
  return sanitizer()(readable, options).replaceAll(LT_PLACEHOLDER, '&lt;');
}

const NO_TAGS: sanitizeHtml.IOptions = { allowedTags: [], allowedAttributes: {} };

/**
 * The maximum number of rounds in which a text is cleaned. One round is not always enough, because the removal of a tag
 * can put a paragraph directly into another paragraph, or join two parts of the text into a new tag (`<<b>script>`).
 */
const MAX_ROUNDS = 3;
const TAG_START = /<[a-z/!?]/i;
const TAG_STARTS = /<(?=[a-z/!?])/gi;

function stripOnce(text: string): string {
  // Because & is escaped, the parser does not change entities.
  const escaped = text.replaceAll('&', '&amp;');
  // No tag ends after the last `>`, so each `<` there is plain text.
  const end = escaped.lastIndexOf('>') + 1;
  const readable = escaped.slice(0, end) + escaped.slice(end).replaceAll('<', '&lt;');
  return sanitizer()(readable, NO_TAGS)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/**
 * The maximum depth of nested tags. Deeper tags are removed, but their text remains. Such nesting is never intended,
 * and may overload clients.
 */
const MAX_DEPTH = 32;

function optionsFor(allowedTags: readonly string[]): sanitizeHtml.IOptions {
  return {
    allowedTags: [...allowedTags],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: LINK_PROTOCOLS.map((protocol) => protocol.slice(0, -1)),
    allowProtocolRelative: false,
    nestingLimit: MAX_DEPTH,
    transformTags: { a: (tagName, { href }) => ({ tagName, attribs: link(href?.replaceAll(LT_PLACEHOLDER, '<')) }) },
  };
}

/**
 * Returns the attributes of a link. The returned address is the parsed URL as text, so it is exactly the address that
 * was checked. The address is removed if it is not an absolute URL, if its protocol is not in `LINK_PROTOCOLS`, or if
 * it contains a user name or a password (WIRE-21).
 */
function link(href: string | undefined): sanitizeHtml.Attributes {
  const url = parseUrl(href ?? '');
  if (url === null) return { rel: LINK_REL };
  const isAllowed =
    LINK_PROTOCOLS.some((protocol) => protocol === url.protocol) && url.username === '' && url.password === '';
  return isAllowed ? { href: url.href, rel: LINK_REL } : { rel: LINK_REL };
}
