import { Injectable } from '@nestjs/common';
import { AdmissionReader } from '../../identity/admission.reader';
import type { Caller } from '../../identity/caller.reader';
import { ChangesReader, viewerOf, type ChangesOptions, type NewChanges } from '../changes.reader';
import { ChangesTail } from './changes-tail';
import { OpenRequestLimits } from './open-request-limits';
import { OpenResponses } from './open-responses';

/** The changes, and the caller as read at the end of the wait, when the token is checked again. */
export interface WaitResult {
  readonly news: NewChanges;
  readonly caller: Caller;
}

/** Delays the response to a request until a change occurs (CHG-11). */
@Injectable()
export class WaitingService {
  constructor(
    private readonly reader: ChangesReader,
    private readonly admission: AdmissionReader,
    private readonly tail: ChangesTail,
    private readonly limits: OpenRequestLimits,
    private readonly openResponses: OpenResponses,
  ) {}

  /**
   * Returns the changes after `cursor`. If there are none, waits for the next change, at most `seconds`. The result is
   * empty if no change occurs in this time, the client disconnects, or the server stops. Throws 429 above the account's
   * limit of waiting requests, 503 above the limit of this process, 401 or 403 if the caller is no longer admitted at
   * the end of the wait, and the errors of `ChangesReader.after`.
   */
  async changesWithin(
    seconds: number,
    caller: Caller,
    cursor: string,
    options: ChangesOptions,
    request: { authorization: string | undefined; gone: AbortSignal },
  ): Promise<WaitResult> {
    const release = await this.limits.take(caller.id, 'wait');
    const { signal, done } = this.openResponses.begin(request.gone);
    try {
      return await this.waitUntil(
        performance.now() + seconds * 1000,
        caller,
        cursor,
        options,
        request.authorization,
        signal,
      );
    } finally {
      done();
      await release();
    }
  }

  private async waitUntil(
    end: number,
    caller: Caller,
    cursor: string,
    options: ChangesOptions,
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<WaitResult> {
    const { follower, leave } = await this.tail.follow(caller.id);
    try {
      let position = cursor;
      for (;;) {
        const news = await this.reader.after(viewerOf(caller), position, options);
        if (news.entries.length > 0 || (!news.hasMore && (signal.aborted || performance.now() >= end))) {
          return { news, caller: await this.admission.refuseUnlessAdmitted(authorization) };
        }
        if (!news.hasMore && (await follower.waitForChanges(end - performance.now(), signal)) === 'news')
          await follower.reloadTopics();
        position = news.cursor;
      }
    } finally {
      leave();
    }
  }
}
