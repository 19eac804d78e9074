const MAX_CHARACTERS = 200;

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
