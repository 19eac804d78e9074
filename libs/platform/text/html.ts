import sanitizeHtml from 'sanitize-html';
import { LINK_PROTOCOLS, LINK_REL } from '#contract/vocabulary';
import { isVisible, withoutControls } from './characters';

/**
 * HTML that is safe to show: only the allowed tags, well balanced, without comments, scripts and styles (their content
 * included). `a` keeps an href that is an absolute http, https or mailto address, and gets a `rel`; every other
 * attribute goes (WIRE-20, WIRE-21). Cleaning twice changes nothing. Takes the lists of contract/vocabulary.ts.
 */
export function cleanHtml(html: string, allowedTags: readonly string[]): string {
  const options = optionsFor(allowedTags);
  let clean = html;
  for (let round = 0, dirty = ''; round < ROUNDS && clean !== dirty; round++) {
    dirty = clean;
    // An entity (`&#7;`) becomes its character, so they are taken out of what comes out.
    clean = withoutControls(sanitizeHtml(dirty, options)).trim();
  }
  return clean;
}

/** Whether anything can be read in clean HTML: tags, spaces and invisible characters alone are nothing. */
export function hasVisibleText(html: string): boolean {
  return isVisible(sanitizeHtml(html, NO_TAGS));
}

/**
 * Text without HTML tags; what looked like text stays exactly as it was typed (`1 < 2 & 3`, `&lt;`), but no tag can
 * begin in it any more, so that a client that takes it for HTML is safe too. Trimmed; may be empty.
 */
export function plainText(text: string): string {
  let stripped = text;
  for (let round = 0; round < ROUNDS && TAG_START.test(stripped); round++) stripped = strippedOnce(stripped);
  return stripped.replace(TAG_STARTS, '< ').trim();
}

const NO_TAGS: sanitizeHtml.IOptions = { allowedTags: [], allowedAttributes: {} };

/**
 * What goes can leave something new behind: a paragraph within a paragraph, a tag brought together (`<<b>script>`).
 * So often it is gone over again.
 */
const ROUNDS = 3;
const TAG_START = /<[a-z/!?]/i;
const TAG_STARTS = /<(?=[a-z/!?])/gi;

function strippedOnce(text: string): string {
  // Hidden behind &amp;, entities pass the parser as they are.
  const escaped = text.replaceAll('&', '&amp;');
  // What follows the last `>` closes no tag: it is text.
  const end = escaped.lastIndexOf('>') + 1;
  const readable = escaped.slice(0, end) + escaped.slice(end).replaceAll('<', '&lt;');
  return sanitizeHtml(readable, NO_TAGS).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** Deeper tags go, their text stays: nobody writes so, and what shows the text may not stand it. */
const DEEPEST = 32;

const optionsByTags = new WeakMap<readonly string[], sanitizeHtml.IOptions>();

function optionsFor(allowedTags: readonly string[]): sanitizeHtml.IOptions {
  const known = optionsByTags.get(allowedTags);
  if (known) return known;
  const options: sanitizeHtml.IOptions = {
    allowedTags: [...allowedTags],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: LINK_PROTOCOLS.map((protocol) => protocol.slice(0, -1)),
    allowProtocolRelative: false,
    nestingLimit: DEEPEST,
    transformTags: { a: (tagName, { href }) => ({ tagName, attribs: link(href) }) },
  };
  optionsByTags.set(allowedTags, options);
  return options;
}

/** The address as the URL parser wrote it, not as it was typed: what was read is what is kept. One with a login is none (WIRE-21). */
function link(href: string | undefined): sanitizeHtml.Attributes {
  if (href === undefined || !URL.canParse(href)) return { rel: LINK_REL };
  const url = new URL(href);
  const isAllowed = LINK_PROTOCOLS.some((protocol) => protocol === url.protocol) && url.username === '' && url.password === '';
  return isAllowed ? { href: url.href, rel: LINK_REL } : { rel: LINK_REL };
}
