import type { FetchedFile } from '#platform/net/guarded-fetch';

/** Number of bytes at the beginning of a page in which browsers look for the encoding of the page. */
const PRESCAN_BYTES = 1024;
/** A fold (a line end and a space or tab) inside a character: the next byte continues a character of UTF-8. */
const FOLD_IN_CHARACTER = /\r?\n[ \t](?=[\x80-\xbf])/g;
const CHARSET_IN_PAGE = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w-]+)/i;

/**
 * Decodes a file of another site. The encoding is the `charset` of `Content-Type`; if there is none, the encoding in
 * `<meta charset>`. If both are missing, or if the encoding is unknown, the file is read as UTF-8 (IMP-7). A byte order
 * mark of UTF-8 takes precedence.
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
 * Decodes UTF-8. Some programs fold the lines of a calendar inside a character; RFC 5545 (3.1) requires readers to
 * restore the character. Valid UTF-8 without such folds is not changed, because a byte that continues a character never
 * follows a space or a tab.
 */
export function utf8Text(content: Buffer): string {
  return Buffer.from(content.toString('latin1').replace(FOLD_IN_CHARACTER, ''), 'latin1').toString();
}
