import { join } from 'node:path';
import { LocalStorage } from './local-storage';
import { S3Storage, type S3Options } from './s3-storage';
import type { Storage } from './storage';

/** The settings of the storage (docs/operating/settings.md). */
interface StorageOptions {
  readonly dataDir: string;
  readonly storage: { readonly kind: 'local' } | ({ readonly kind: 's3' } & S3Options);
}

/** The configured storage: `DATA_DIR/files`, or the bucket. */
export async function openStorage({ dataDir, storage }: StorageOptions): Promise<Storage> {
  return storage.kind === 's3' ? S3Storage.open(storage) : new LocalStorage(join(dataDir, 'files'));
}
