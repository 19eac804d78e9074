import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { weightsOf } from '../text/weights';

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/** The supported content codings of texts, the best first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * Returns the supported coding that `Accept-Encoding` prefers (RFC 9110, 12.5.3). If br and gzip have the same weight,
 * returns br. Returns null if the client accepts neither, or prefers an uncompressed response (`identity`).
 */
export function codingFor(header = ''): Coding | null {
  if (header === '') return null;
  const weights = weightsOf(header);
  const weightOf = (name: string): number | undefined => weights.get(name) ?? weights.get('*');
  let best: { readonly coding: Coding | null; readonly weight: number } = {
    coding: null,
    weight: weights.get('identity') ?? 0,
  };
  for (const coding of CODINGS) {
    const weight = weightOf(coding) ?? 0;
    if (weight > 0 && (weight > best.weight || (best.coding === null && weight === best.weight)))
      best = { coding, weight };
  }
  return best.coding;
}

/** Compresses a text. `levels` contains the compression level for each coding. */
export function compressed(text: Buffer, coding: Coding, levels: Readonly<Record<Coding, number>>): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(text, { level: levels.gzip });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: levels.br,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return brotli(text, { params });
}
