import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** An entry of the archive: bytes, or a file. A file is opened only when the file before it has been read. */
export type Entry = { readonly path: string } & (
  { readonly bytes: Buffer } | { readonly open: () => Promise<Readable> }
);

/**
 * Returns a ZIP archive with these entries, in this order. The archive is created while it is read. If an entry cannot
 * be read, reading the archive fails. `at` is the modification time of all entries.
 */
export function zipOf(entries: AsyncIterable<Entry>, at: Date): Readable {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  void addEntries(zip, out, entries, at).catch(fail);
  return out;
}

async function addEntries(zip: ZipFile, out: Readable, entries: AsyncIterable<Entry>, at: Date): Promise<void> {
  let current: Readable | null = null;
  out.once('close', () => current?.destroy());
  for await (const entry of entries) {
    const options = { mtime: at, mode: 0o100600 };
    if ('bytes' in entry) {
      zip.addBuffer(entry.bytes, entry.path, options);
      continue;
    }
    // Files are opened one after the other. Otherwise an archive of a thousand pictures would open a thousand files at
    // the same time. Pictures and videos are already compressed, so they are not compressed again.
    const file = await entry.open();
    // If the archive is no longer read, for example because the disk is full, this file is not needed.
    if (out.destroyed) return void file.destroy();
    current = file;
    await new Promise<void>((resolve, reject) => {
      file.once('error', reject).once('close', resolve);
      zip.addReadStream(file, entry.path, { ...options, compress: false });
    });
  }
  zip.end();
}
