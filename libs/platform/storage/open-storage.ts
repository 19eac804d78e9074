import { join } from 'node:path';
import { LocalStorage } from './local-storage';
import { S3Storage, type S3Options } from './s3-storage';
import type { Storage } from './storage';

/** The settings that say where files lie (operations.md, "Settings"). */
export interface StorageOptions {
  readonly storage: 'local' | 's3';
  readonly dataDir: string;
  readonly s3?: S3Options | null | undefined;
}

/** The storage that the settings ask for: `DATA_DIR/files`, or the bucket. */
export async function openStorage({ storage, dataDir, s3 }: StorageOptions): Promise<Storage> {
  if (storage === 'local') return new LocalStorage(join(dataDir, 'files'));
  if (!s3) throw new Error('STORAGE=s3 needs S3_BUCKET');
  return S3Storage.open(s3);
}
