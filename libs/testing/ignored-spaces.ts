/** Line breaks before and after the tags of these elements are removed. */
const BLOCKS =
  'html|head|body|meta|link|title|script|header|footer|nav|main|aside|article|section|div|p|h[1-6]|ul|ol|li|dl|dt|dd|form|fieldset|legend|label|input|select|option|button|details|summary|table|thead|tbody|tr|th|td|figure|figcaption|br|time|small|svg';
const ATTRIBUTES = '(?:[^>"]|"[^"]*")*';
const BLOCK_TAG = new RegExp(`\\n?(</?(?:${BLOCKS})\\b${ATTRIBUTES}>)\\n?`, 'g');
const AFTER_OPENING = new RegExp(`(<[a-z]\\w*${ATTRIBUTES}>)\\n`, 'g');
const BEFORE_CLOSING = /\n(?=<\/)/g;
/** Matches the elements whose content is shown with its spaces. */
const VERBATIM = /(<(?:textarea|pre)\b[^]*?<\/(?:textarea|pre)>)/;

/** Matches a no-break space in a text, but not in an attribute and not between the digits of a number. */
const NO_BREAK_SPACE = /(?:(?<!\d)\u00a0|\u00a0(?!\d))(?=[^<>]*(?:<|$))/g;

/**
 * The page without the line breaks and the indentation of the views, so that tests can compare parts of a page. If a
 * sentence continues on the next line of a view, a space replaces the line break and the indentation. Spaces also
 * replace the no-break spaces between words.
 */
export function withoutIgnoredSpaces(html: string): string {
  return html
    .split(VERBATIM)
    .map((part, index) => (index % 2 === 1 ? part : compact(part)))
    .join('');
}

function compact(html: string): string {
  return html
    .replace(/\s*\n\s*|\s{2,}/g, '\n')
    .replace(BLOCK_TAG, '$1')
    .replace(AFTER_OPENING, '$1')
    .replace(BEFORE_CLOSING, '')
    .replaceAll('\n', ' ')
    .replace(NO_BREAK_SPACE, ' ');
}
