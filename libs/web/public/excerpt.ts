const MAX_CHARACTERS = 200;

/**
 * Returns the text on one line. A text of more than 200 characters is cut and ends in `…`. If its first 200 characters
 * contain a space, the text is cut after a whole word.
 */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= MAX_CHARACTERS) return line;
  return `${characters
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}
