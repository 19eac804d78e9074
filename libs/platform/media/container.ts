import { open, type FileHandle } from 'node:fs/promises';

/** The supported kinds of containers. `mov`: MP4, MOV and 3GP, which have the same structure. `matroska`: WebM, MKV. */
export type Container = 'mov' | 'matroska';

/**
 * Detects the container of a video by the structure of the file, not by the name or content type. Returns null for
 * files with another structure and for files that are recognizably truncated. Such files are not passed to ffmpeg, so
 * ffmpeg never reads playlists, concat scripts, web pages or pictures.
 */
export async function containerOf(path: string): Promise<Container | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (await isWholeMov(file, size)) return 'mov';
    return (await isWholeMatroska(file, size)) ? 'matroska' : null;
  } finally {
    await file.close();
  }
}

/** Types of boxes at the top level of an MP4, MOV or 3GP. */
const TOP_BOXES = new Set([
  'ftyp',
  'moov',
  'mdat',
  'moof',
  'mfra',
  'free',
  'skip',
  'wide',
  'uuid',
  'meta',
  'udta',
  'styp',
  'sidx',
  'ssix',
  'prft',
  'emsg',
  'pnot',
  'PICT',
]);
const MAX_BOXES = 10_000;

/**
 * Checks that the file has the necessary boxes, and that they end within the file. The first unknown box and everything
 * after it are ignored, because some cameras write a trailer.
 */
async function isWholeMov(file: FileHandle, size: number): Promise<boolean> {
  const types = new Set<string>();
  const isComplete = () => types.has('moov') && (types.has('mdat') || types.has('moof'));
  let offset = 0;
  for (let boxes = 0; offset < size; boxes++) {
    if (boxes === MAX_BOXES) return false;
    const header = await bytes(file, offset, 16);
    const type = header.toString('latin1', 4, 8);
    if (header.length < 8 || !TOP_BOXES.has(type)) return isComplete();
    const length = boxLength(header, size - offset);
    if (length < 8 || offset + length > size) return false;
    types.add(type);
    offset += length;
  }
  return isComplete();
}

/** A length of 0 means that the box extends to the end of the file. 1 means that a 64-bit length follows the type. */
function boxLength(header: Buffer, bytesToEnd: number): number {
  const length = header.readUInt32BE(0);
  if (length === 0) return bytesToEnd;
  if (length > 1) return length;
  return header.length < 16 ? 0 : Number(header.readBigUInt64BE(8));
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const VOID = 0xec;

/**
 * Checks the EBML header and the segment after it. The segment must end within the file, unless its size is unknown.
 */
async function isWholeMatroska(file: FileHandle, size: number): Promise<boolean> {
  const header = await element(file, 0);
  if (header?.id !== EBML || header.length === null) return false;
  let next = await element(file, header.start + header.length);
  while (next?.id === VOID && next.length !== null) next = await element(file, next.start + next.length);
  if (next?.id !== SEGMENT) return false;
  return next.length === null || next.start + next.length <= size;
}

interface Element {
  readonly id: number;
  /** The offset at which the content starts. */
  readonly start: number;
  /** The length of the content; null if it is unknown: the content then extends to the end of the file. */
  readonly length: number | null;
}

/**
 * Reads the id and the length of an EBML element; null if it cannot be read. The id includes its marker bit; the length
 * does not.
 */
async function element(file: FileHandle, offset: number): Promise<Element | null> {
  const head = await bytes(file, offset, 12);
  const idBytes = Math.clz32(head[0] ?? 0) - 23;
  if (idBytes > 4 || head.length <= idBytes) return null;
  const lengthBytes = Math.clz32(head[idBytes] ?? 0) - 23;
  if (lengthBytes > 8 || head.length < idBytes + lengthBytes) return null;
  const lengthWithMarker = head
    .subarray(idBytes, idBytes + lengthBytes)
    .reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const mask = (1n << BigInt(7 * lengthBytes)) - 1n;
  const length = lengthWithMarker & mask;
  return {
    id: head.readUIntBE(0, idBytes),
    start: offset + idBytes + lengthBytes,
    length: length === mask ? null : Number(length),
  };
}

async function bytes(file: FileHandle, offset: number, count: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, offset);
  return buffer.subarray(0, bytesRead);
}
