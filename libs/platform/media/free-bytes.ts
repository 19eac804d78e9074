import { statfs } from 'node:fs/promises';

/** The number of bytes that this process can still write to the folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
