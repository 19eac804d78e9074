const MAX_CHARACTERS = 200;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The text of sanitized HTML, one line per paragraph. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<br ?\/?>|<\/(p|li|h[1-4]|blockquote)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .trim();
}

/** The beginning of a text on one line, cut at a word. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= MAX_CHARACTERS) return line;
  return `${characters
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}
