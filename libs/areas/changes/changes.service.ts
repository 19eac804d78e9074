import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import type { Caller } from '../identity/caller.reader';
import { typesOf, type ChangesQueryDto } from './changes.dto';
import { ChangesReader, viewerOf, type NewChanges } from './changes.reader';
import { StreamsService, type AdmittedStream } from './live/streams.service';
import { WaitingService } from './live/waiting.service';

/** The parts of a request that may be held. */
export interface Asking {
  readonly authorization: string | undefined;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal;
}

/** GET /changes (CHG-1). */
@Injectable()
export class ChangesService {
  constructor(
    private readonly reader: ChangesReader,
    private readonly waiting: WaitingService,
    private readonly streams: StreamsService,
  ) {}

  /**
   * The changes since the cursor, or without one the current cursor. With `wait` the request is held until a change
   * arrives.
   */
  async page(
    caller: Caller,
    { cursor = null, limit = LIMITS.changes.limit.default, types: wanted, wait }: ChangesQueryDto,
    asking: Asking,
  ): Promise<NewChanges> {
    const types = typesOf(wanted);
    const now =
      cursor === null
        ? { entries: [], cursor: await this.reader.now(), hasMore: false }
        : await this.reader.after(viewerOf(caller), cursor, { types, limit });
    if (wait === undefined || now.entries.length > 0 || now.hasMore) return now;
    return this.waiting.within(wait, caller, now.cursor, { types, limit }, asking);
  }

  /** Like `page`, as a stream. `last`: the `Last-Event-ID`, which has precedence over the cursor. */
  async stream(
    caller: Caller,
    { cursor = null, types }: ChangesQueryDto,
    last: string | undefined,
    authorization: string | undefined,
  ): Promise<AdmittedStream> {
    const wanted = typesOf(types);
    if (last !== undefined) this.refuseLastEventId(last);
    return this.streams.admit(caller, authorization, last ?? cursor, wanted);
  }

  private refuseLastEventId(id: string): void {
    try {
      this.reader.refuseCursor(id);
    } catch (error) {
      throw error instanceof Refusal && error.code === 'validation_failed'
        ? Refusal.invalid('Last-Event-ID', 'cursor')
        : error;
    }
  }
}
