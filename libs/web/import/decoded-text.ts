import type { FetchedFile } from '#platform/net/guarded-fetch';

/** Number of bytes at the beginning of a page in which browsers look for the encoding of the page. */
const PRESCAN_BYTES = 1024;
/** A line end inside a letter: the next byte continues a character of UTF-8. */
const FOLD_IN_LETTER = /\r?\n[ \t](?=[\x80-\xbf])/g;
const CHARSET_IN_PAGE = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w-]+)/i;

/**
 * Decodes a file of another site. `Content-Type` states the encoding, or else `<meta charset>`. If the encoding is
 * missing or unknown, the file is read as UTF-8 (IMP-7). A byte order mark of UTF-8 takes precedence.
 */
export function decodedText({ content, charset }: Pick<FetchedFile, 'content' | 'charset'>): string {
  const hasByteOrderMark = content.subarray(0, 3).equals(Buffer.from('\uFEFF'));
  const charsetInPage = CHARSET_IN_PAGE.exec(content.toString('latin1', 0, PRESCAN_BYTES))?.[1];
  try {
    const decoder = new TextDecoder(hasByteOrderMark ? 'utf-8' : (charset ?? charsetInPage ?? 'utf-8'));
    return decoder.encoding === 'utf-8' ? utf8Text(content) : decoder.decode(content);
  } catch {
    return utf8Text(content);
  }
}

/**
 * Decodes UTF-8. Some programs fold the lines of a calendar inside a letter; RFC 5545 (3.1) requires readers to restore
 * the letter. A valid file without such folds contains no line end before a byte that continues a character.
 */
export function utf8Text(content: Buffer): string {
  return Buffer.from(content.toString('latin1').replace(FOLD_IN_LETTER, ''), 'latin1').toString();
}
