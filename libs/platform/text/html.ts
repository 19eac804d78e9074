import type sanitizeHtml from 'sanitize-html';
import { LINK_PROTOCOLS, LINK_REL } from '#contract/vocabulary';
import { lazily } from '../loading/lazily';
import { isVisible, withoutControls } from './characters';

const sanitizer = lazily<typeof import('sanitize-html')>(__filename, 'sanitize-html');

/**
 * HTML that is safe to show: only the allowed tags, well balanced, without comments, scripts and styles (including
 * their content). `a` keeps an href that is an absolute http, https or mailto address, and gets a `rel`; all other
 * attributes are removed (WIRE-20, WIRE-21). Cleaning twice changes nothing. Uses the lists of contract/vocabulary.ts.
 */
export function cleanHtml(html: string, allowedTags: readonly string[]): string {
  const options = optionsFor(allowedTags);
  let clean = html;
  for (let round = 0, dirty = ''; round < ROUNDS && clean !== dirty; round++) {
    dirty = clean;
    // An entity (`&#7;`) becomes its character, so controls are removed from the output.
    clean = withoutControls(sanitized(dirty, options, round > 0)).trim();
    // Text without tags does not change any more.
    if (!clean.includes('<')) break;
  }
  return clean;
}

/** Whether sanitized HTML contains a visible character. */
export function hasVisibleText(html: string): boolean {
  return isVisible(sanitized(html, NO_TAGS, true));
}

/**
 * The text without HTML tags. Other characters stay as typed (`1 < 2 & 3`, `&lt;`), but cannot begin a tag, so that
 * clients that interpret it as HTML are safe too. Trimmed; may be empty.
 */
export function plainText(text: string): string {
  let stripped = text;
  for (let round = 0; round < ROUNDS && TAG_START.test(stripped); round++) stripped = strippedOnce(stripped);
  return stripped.replace(TAG_STARTS, '< ').trim();
}

/**
 * The parser emits each `<` that opens no tag, and each `&lt;`, as a separate text. Each text is escaped and appended
 * separately, so 20,000 of them took ten times as long as 20,000 letters, in every round. A placeholder replaces them
 * during parsing: an unpaired surrogate, which neither a well-formed text nor an entity can produce. `&lt;` is always
 * an entity only in cleaned HTML; elsewhere it may be in parts that the parser leaves unchanged.
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
 * Removing parts can create new tags: a paragraph within a paragraph, a tag joined from two (`<<b>script>`). Therefore
 * the text is cleaned in several rounds.
 */
const ROUNDS = 3;
const TAG_START = /<[a-z/!?]/i;
const TAG_STARTS = /<(?=[a-z/!?])/gi;

function strippedOnce(text: string): string {
  // With & escaped, entities pass the parser unchanged.
  const escaped = text.replaceAll('&', '&amp;');
  // Text after the last `>` cannot close a tag.
  const end = escaped.lastIndexOf('>') + 1;
  const readable = escaped.slice(0, end) + escaped.slice(end).replaceAll('<', '&lt;');
  return sanitizer()(readable, NO_TAGS)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Deeper tags are removed, their text stays: such nesting is never intended, and may overload clients. */
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

/**
 * The address as serialized by the URL parser, not as typed: the checked value is the stored one. Addresses with a
 * login are removed (WIRE-21).
 */
function link(href: string | undefined): sanitizeHtml.Attributes {
  if (href === undefined || !URL.canParse(href)) return { rel: LINK_REL };
  const url = new URL(href);
  const isAllowed =
    LINK_PROTOCOLS.some((protocol) => protocol === url.protocol) && url.username === '' && url.password === '';
  return isAllowed ? { href: url.href, rel: LINK_REL } : { rel: LINK_REL };
}
