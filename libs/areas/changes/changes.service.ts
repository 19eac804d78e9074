import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import type { Caller } from '../identity/caller.reader';
import { typesOf, type ChangesQueryDto } from './changes.dto';
import { ChangesReader, viewerOf, type NewChanges } from './changes.reader';
import { StreamsService, type AdmittedStream } from './live/streams.service';
import { WaitingService } from './live/waiting.service';
import { EntryObjects } from './objects/entry-objects';

/** The parts of a request that are needed while the request waits for changes. */
export interface HeldRequest {
  /** The language of the response. */
  readonly locale: Locale;
  /** The `Authorization` header, with which the token is checked again. */
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
    private readonly entryObjects: EntryObjects,
  ) {}

  /**
   * Returns the changes of the requested types after the cursor. Without a cursor, returns no changes and the current
   * cursor. If there are no changes, a request with `wait` waits for a change of the requested types, for at most
   * `wait` seconds.
   */
  async page(
    caller: Caller,
    { cursor = null, limit = LIMITS.changes.limit.default, types: typesText, wait, include }: ChangesQueryDto,
    request: HeldRequest,
  ): Promise<NewChanges> {
    const withObjects = (viewer: Caller, news: NewChanges): Promise<NewChanges> | NewChanges =>
      include
        ? this.entryObjects.of(
            { caller: viewer, recipient: { locale: request.locale, timezone: viewer.timezone } },
            news,
          )
        : news;
    const types = typesOf(typesText);
    const found =
      cursor === null
        ? { entries: [], objects: [], cursor: await this.reader.endCursor(), hasMore: false }
        : await this.reader.after(viewerOf(caller), cursor, { types, limit });
    if (wait === undefined || found.entries.length > 0 || found.hasMore) return withObjects(caller, found);
    const { news, caller: recheckedCaller } = await this.waiting.changesWithin(
      wait,
      caller,
      found.cursor,
      { types, limit },
      request,
    );
    return withObjects(recheckedCaller, news);
  }

  /** Like `page`, as a stream. `lastEventId` (the header `Last-Event-ID`) takes precedence over the cursor. */
  async stream(
    caller: Caller,
    { cursor = null, types, include }: ChangesQueryDto,
    lastEventId: string | undefined,
    { authorization, locale }: Pick<HeldRequest, 'authorization' | 'locale'>,
  ): Promise<AdmittedStream> {
    const parsedTypes = typesOf(types);
    if (lastEventId !== undefined) await this.refuseInvalidLastEventId(lastEventId);
    return this.streams.admit(caller, authorization, lastEventId ?? cursor, {
      types: parsedTypes,
      reader: include ? { locale } : null,
    });
  }

  /** Throws the errors of `refuseInvalidCursor`; a 422 names `Last-Event-ID` instead of `cursor`. */
  private async refuseInvalidLastEventId(id: string): Promise<void> {
    try {
      await this.reader.refuseInvalidCursor(id);
    } catch (error) {
      throw error instanceof Refusal && error.code === 'validation_failed'
        ? Refusal.invalid('Last-Event-ID', 'cursor')
        : error;
    }
  }
}
