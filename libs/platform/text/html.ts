import type sanitizeHtml from 'sanitize-html';
import { LINK_PROTOCOLS, LINK_REL } from '#contract/vocabulary';
import { lazily } from '../loading/lazily';
import { isVisible, withoutControls } from './characters';

const sanitizer = lazily<typeof import('sanitize-html')>(__filename, 'sanitize-html');

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
    clean = withoutControls(sanitized(dirty, options, round > 0)).trim();
    // Text alone is decoded and escaped to itself.
    if (!clean.includes('<')) break;
  }
  return clean;
}

/** Whether anything can be read in clean HTML: tags, spaces and invisible characters alone are nothing. */
export function hasVisibleText(html: string): boolean {
  return isVisible(sanitized(html, NO_TAGS, true));
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

/**
 * The parser gives each `<` that opens no tag, and each `&lt;`, as a text of its own, which is escaped and appended alone: 20,000 of
 * them took ten times as long as 20,000 letters, in every round. While it parses, one character stands for them. It is half of a
 * surrogate pair, which neither a well-formed text nor an entity can bring. Only in what has been cleaned before is `&lt;` always an
 * entity; elsewhere it may stand in what the parser leaves as it is.
 */
const STAND_IN = '\udc3c';
const HALVES = /\p{Surrogate}/gu;
const LONE = /<(?![a-z/!?])/gi;
const LONE_OR_ENTITY = /<(?![a-z/!?])|&lt;/gi;

function sanitized(html: string, options: sanitizeHtml.IOptions, isClean: boolean): string {
  const readable = html.replace(HALVES, '\ufffd').replace(isClean ? LONE_OR_ENTITY : LONE, STAND_IN);
  return sanitizer()(readable, options).replaceAll(STAND_IN, '&lt;');
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
  return sanitizer()(readable, NO_TAGS)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
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
    transformTags: { a: (tagName, { href }) => ({ tagName, attribs: link(href?.replaceAll(STAND_IN, '<')) }) },
  };
  optionsByTags.set(allowedTags, options);
  return options;
}

/** The address as the URL parser wrote it, not as it was typed: what was read is what is kept. One with a login is none (WIRE-21). */
function link(href: string | undefined): sanitizeHtml.Attributes {
  if (href === undefined || !URL.canParse(href)) return { rel: LINK_REL };
  const url = new URL(href);
  const isAllowed =
    LINK_PROTOCOLS.some((protocol) => protocol === url.protocol) && url.username === '' && url.password === '';
  return isAllowed ? { href: url.href, rel: LINK_REL } : { rel: LINK_REL };
}
