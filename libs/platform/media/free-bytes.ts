import { statfs } from 'node:fs/promises';

/** Free bytes of the folder's disk that this process may use. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
