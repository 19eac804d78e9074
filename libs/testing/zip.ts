import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/**
 * Returns the files of a ZIP by their paths. The service writes ZIP files with another library (yazl), so that a test
 * also finds errors of that library.
 *
 * @throws if a checksum is wrong
 */
export async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} has a wrong checksum`);
    files.set(entry.fileName, content);
  }
  return files;
}
