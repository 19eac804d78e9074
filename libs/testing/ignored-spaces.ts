/** Elements at whose borders browsers ignore spaces. */
const BLOCKS =
  'html|head|body|meta|link|title|script|header|footer|nav|main|aside|article|section|div|p|h[1-6]|ul|ol|li|dl|dt|dd|form|fieldset|legend|label|input|select|option|button|details|summary|table|thead|tbody|tr|th|td|figure|figcaption|br|time|small|svg';
const BORDER = new RegExp(`\\n?(</?(?:${BLOCKS})\\b(?:[^>"]|"[^"]*")*>)\\n?`, 'g');
/** Elements whose content is shown with its spaces. */
const VERBATIM = /(<(?:textarea|pre)\b[^]*?<\/(?:textarea|pre)>)/;

/**
 * The page without line breaks and indentation of the views that browsers ignore, so that tests can compare parts of a
 * page. Other line breaks become a space.
 */
export function withoutIgnoredSpaces(html: string): string {
  return html
    .split(VERBATIM)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/\s*\n\s*/g, '\n')
            .replace(BORDER, '$1')
            .replaceAll('\n', ' '),
    )
    .join('');
}
