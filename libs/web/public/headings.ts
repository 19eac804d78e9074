const HEADING = /<(\/?)h([1-6])(?=[\s>])/g;
const LOWEST_LEVEL = 6;

/**
 * Moves the headings of sanitized HTML to the levels below `level`; headings that would be below h6 become h6. The HTML
 * can begin with a heading of any level. No level is skipped in the result, because the outline of a page must not have
 * gaps (PAGE-39).
 */
export function headingsBelow(html: string, level: number): string {
  // The original levels of the current heading and of the headings above it in the outline.
  const outline: number[] = [];
  return html.replace(HEADING, (_tag, slash: string, digit: string) => {
    // A closing tag gets the level of the heading that it closes.
    if (slash === '') {
      while ((outline.at(-1) ?? 0) >= Number(digit)) outline.pop();
      outline.push(Number(digit));
    }
    return `<${slash}h${Math.min(level + outline.length, LOWEST_LEVEL)}`;
  });
}
