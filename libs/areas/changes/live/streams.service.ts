import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { AdmissionReader } from '../../identity/admission.reader';
import type { Caller } from '../../identity/caller.reader';
import { ChangesReader, viewerOf, type ChangesOptions } from '../changes.reader';
import { ChangesTail, type Follower } from './changes-tail';
import { OpenRequestLimits } from './open-request-limits';
import { EntryObjects } from '../objects/entry-objects';
import { OpenResponses } from './open-responses';

/** Parameters of a stream. */
export interface StreamOptions {
  readonly types: ChangesOptions['types'];
  /** The language of the objects in the entries; null if the stream sends entries without objects. */
  readonly reader: { readonly locale: Locale } | null;
}

/** A stream that has passed all checks. `release` must be called when the stream ends. */
export interface AdmittedStream {
  readonly caller: Caller;
  readonly authorization: string | undefined;
  readonly cursor: string;
  readonly options: StreamOptions;
  readonly release: () => Promise<void>;
}

/**
 * Time between two heartbeats. Heartbeats are also sent while entries arrive. The client's rights are checked again at
 * each heartbeat and before entries are sent.
 */
const HEARTBEAT_MS = LIMITS.changes.heartbeat * 1000;
/** Time that a client may take to read the sent data. */
const DRAIN_TIMEOUT_MS = 30_000;

/** The feed as server-sent events (CHG-12). */
@Injectable()
export class StreamsService {
  private readonly log = new Logger(StreamsService.name);

  constructor(
    private readonly changes: ChangesReader,
    private readonly admission: AdmissionReader,
    private readonly tail: ChangesTail,
    private readonly limits: OpenRequestLimits,
    private readonly openResponses: OpenResponses,
    private readonly entryObjects: EntryObjects,
  ) {}

  /**
   * Admits a stream that starts at the cursor, or now if the cursor is null. Throws 422 or 410 if the cursor is
   * refused. Throws 429 if the account already has three streams, and 503 if this process has too many streams.
   */
  async admit(
    caller: Caller,
    authorization: string | undefined,
    cursor: string | null,
    options: StreamOptions,
  ): Promise<AdmittedStream> {
    if (cursor !== null) await this.changes.refuseInvalidCursor(cursor);
    const release = await this.limits.take(caller.id, 'stream');
    try {
      return { caller, authorization, options, release, cursor: cursor ?? (await this.changes.endCursor()) };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /**
   * Writes the stream until the client disconnects, loses its rights or reads too slowly, or until an error occurs or
   * the server stops.
   */
  async run(stream: AdmittedStream, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    if (response.destroyed) disconnected.abort();
    const { signal, done } = this.openResponses.begin(disconnected.signal);
    try {
      await write(response, `id: ${stream.cursor}\n\n`, signal);
      const { follower, leave } = await this.tail.follow(stream.caller.id);
      await this.send(stream, follower, response, signal).finally(leave);
    } catch (error) {
      // If a refusal has ended the stream, the client gets this refusal when it reconnects with the last id that it
      // received.
      this.log.debug({ err: error }, 'a stream has ended');
    } finally {
      done();
      response.end();
      await stream.release();
    }
  }

  private async send(
    { caller, authorization, cursor, options: { types, reader } }: AdmittedStream,
    follower: Follower,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const options = { types, limit: LIMITS.changes.limit.max };
    let heartbeatAt = performance.now() + HEARTBEAT_MS;
    let position = cursor;
    let sentId = cursor;
    // If the position has changed since the last heartbeat, the heartbeat contains the id of the position. The client
    // can continue from this id, even if the last entry that it received is too old by then.
    const sendHeartbeat = async (): Promise<void> => {
      await this.admission.refuseUnlessAdmitted(authorization);
      await write(response, ':\n' + (position === sentId ? '\n' : `id: ${position}\n\n`), signal);
      sentId = position;
      heartbeatAt = performance.now() + HEARTBEAT_MS;
    };
    while (!signal.aborted) {
      let page = await this.changes.after(viewerOf(caller), position, options);
      if (page.entries.length > 0) {
        const recheckedCaller = await this.admission.refuseUnlessAdmitted(authorization);
        if (reader)
          page = await this.entryObjects.of(
            { caller: recheckedCaller, recipient: { ...reader, timezone: recheckedCaller.timezone } },
            page,
          );
        await write(
          response,
          page.entries.map((entry) => `id: ${entry.cursor}\ndata: ${JSON.stringify(entry)}\n\n`).join(''),
          signal,
        );
      }
      position = page.cursor;
      if (performance.now() >= heartbeatAt) await sendHeartbeat();
      if (page.hasMore) continue;
      // Without changes, the feed is read again before the position expires.
      const rereadAt = performance.now() + this.changes.maxIdleMs;
      let hasChanges = false;
      while (!signal.aborted && !hasChanges && performance.now() < rereadAt) {
        const milliseconds = Math.min(heartbeatAt, rereadAt) - performance.now();
        hasChanges = (await follower.waitForChanges(milliseconds, signal)) === 'news';
        if (!hasChanges && performance.now() >= heartbeatAt) await sendHeartbeat();
      }
      await follower.reloadTopics();
    }
  }
}

/** Writes the text. If the client reads slowly, waits for the client, and throws after DRAIN_TIMEOUT_MS. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  await once(response, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(DRAIN_TIMEOUT_MS)]) });
}
