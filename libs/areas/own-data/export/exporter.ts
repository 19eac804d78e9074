import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Sealer } from '#platform/config/sealer';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Storage } from '#platform/storage/storage';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { zipOf, type Entry } from './archive';
import { pathInArchive, PERSONAL_FILE_COUNT, personalFiles } from './personal-rows';

/**
 * A function that is called after each file except `index.json`, with the number of finished files and the number of
 * all files known so far.
 */
export type Progress = (done: number, total: number) => Promise<void>;

/** Creates an archive with the data of a person, without private data of other people (DATA-2, DATA-3). */
@Injectable()
export class Exporter {
  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    readonly wire: WireFormat,
    readonly sealer: Sealer,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Returns a ZIP archive. The archive is created while it is read. */
  archive(account: { readonly id: number; readonly slug: string }, progress: Progress): Readable {
    const now = this.clock.now();
    return zipOf(this.entries(account, now, progress), now);
  }

  private async *entries(
    { id, slug }: { readonly id: number; readonly slug: string },
    now: Date,
    progress: Progress,
  ): AsyncGenerator<Entry> {
    const storageKeys = new Set<string>();
    const jsonFiles: { file: string; rows: number }[] = [];
    for await (const { name, rows, keys: fileKeys } of personalFiles(this.database, id, this)) {
      for (const key of fileKeys) storageKeys.add(key);
      jsonFiles.push({ file: `${name}.json`, rows: rows.length });
      yield jsonEntry(`${name}.json`, rows);
      await progress(jsonFiles.length, PERSONAL_FILE_COUNT + storageKeys.size);
    }
    let done = PERSONAL_FILE_COUNT;
    for (const key of storageKeys) {
      // `file` is null if the file was deleted after the rows were read.
      const file = await this.storage.read(key);
      if (file) yield { path: pathInArchive(key), open: async () => file };
      await progress(++done, PERSONAL_FILE_COUNT + storageKeys.size);
    }
    yield jsonEntry('index.json', {
      service: this.settings.baseUrl,
      account: slug,
      made_at: toWire(now),
      files: jsonFiles,
    });
  }
}

function jsonEntry(path: string, content: unknown): Entry {
  return { path, bytes: Buffer.from(`${JSON.stringify(content, null, 2)}\n`) };
}
