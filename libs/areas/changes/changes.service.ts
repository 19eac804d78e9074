import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Caller } from '../identity/caller.reader';
import { typesOf, type ChangesQueryDto } from './changes.dto';
import { ChangesReader, type NewChanges } from './changes.reader';

/** GET /changes (CHG-1). */
@Injectable()
export class ChangesService {
  constructor(private readonly reader: ChangesReader) {}

  /** What has happened since the cursor; without one an empty page with the present place. */
  async page(caller: Caller, { cursor = null, limit = LIMITS.changes.limit.default, types: wanted }: ChangesQueryDto): Promise<NewChanges> {
    const types = typesOf(wanted);
    if (cursor === null) return { entries: [], cursor: await this.reader.now(), hasMore: false };
    return this.reader.after(caller, cursor, { types, limit });
  }
}
