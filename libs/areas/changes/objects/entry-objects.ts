import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { ChangeResource } from '../change.resource';
import type { NewChanges } from '../changes.reader';
import { keyOf } from './object-name';
import { ObjectsReader, type ObjectsViewer } from './objects.reader';

/** Bytes that are reserved for everything on a page except the entries. */
const ENVELOPE_BYTES = 2_000;

/** Adds to each entry the current content of the entry's subject, for lists and for streams (CHG-17). */
@Injectable()
export class EntryObjects {
  constructor(private readonly objects: ObjectsReader) {}

  /**
   * Adds `object` to the entries; null for an entry without an object. An entry whose object no longer exists is
   * omitted (unless the object is a payment), because a later entry reports the deletion. If the entries exceed the
   * maximum size of a page, the remaining entries follow on the next page. An entry that alone exceeds this size has
   * its own page.
   */
  async of(viewer: ObjectsViewer, { entries, objects: names, cursor, hasMore }: NewChanges): Promise<NewChanges> {
    const found = await this.objects.readByKey(
      viewer,
      names.filter((name) => name !== null),
    );
    const shown: ChangeResource[] = [];
    let lastCursor = cursor;
    let bytes = ENVELOPE_BYTES;
    for (const [i, entry] of entries.entries()) {
      const name = names[i] ?? null;
      const object = name && (found.get(keyOf(name)) ?? null);
      // The entry of a deleted payment is not omitted, because the payment's expense list has also changed.
      if (name && object === null && name.kind !== 'payment') continue;
      const entryWithObject = { ...entry, object };
      bytes += Buffer.byteLength(JSON.stringify(entryWithObject)) + 1;
      if (bytes > LIMITS.changes.page_bytes && shown.length > 0)
        return { entries: shown, objects: [], cursor: lastCursor, hasMore: true };
      shown.push(entryWithObject);
      lastCursor = entry.cursor;
    }
    return { entries: shown, objects: [], cursor, hasMore };
  }
}
