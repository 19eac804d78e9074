const MAX_CHARACTERS = 200;

/** The beginning of a text on one line. A longer text is cut after a whole word if the beginning contains a space. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= MAX_CHARACTERS) return line;
  return `${characters
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}
