import { join } from 'node:path';
import type { Settings } from '../config/settings';
import { LocalStorage } from './local-storage';
import { S3Storage } from './s3-storage';
import type { Storage } from './storage';

/** The configured storage: `DATA_DIR/files`, or the bucket. */
export async function openStorage({ dataDir, storage }: Pick<Settings, 'dataDir' | 'storage'>): Promise<Storage> {
  return storage.kind === 's3' ? S3Storage.open(storage) : new LocalStorage(join(dataDir, 'files'));
}
