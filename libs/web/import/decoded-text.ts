import type { FetchedFile } from '#platform/net/guarded-fetch';

/** Number of bytes at the beginning of a page in which browsers look for the encoding of the page. */
const PRESCAN_BYTES = 1024;
const IN_PAGE = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w-]+)/i;

/**
 * Decodes a file of another site. `Content-Type` states the encoding, or else `<meta charset>`. If the encoding is
 * missing or unknown, the file is read as UTF-8 (IMP-7). A byte order mark of UTF-8 takes precedence.
 */
export function decodedText({ content, charset }: Pick<FetchedFile, 'content' | 'charset'>): string {
  const hasByteOrderMark = content.subarray(0, 3).equals(Buffer.from('\uFEFF'));
  const inPage = IN_PAGE.exec(content.toString('latin1', 0, PRESCAN_BYTES))?.[1];
  try {
    return new TextDecoder(hasByteOrderMark ? 'utf-8' : (charset ?? inPage ?? 'utf-8')).decode(content);
  } catch {
    return content.toString();
  }
}
