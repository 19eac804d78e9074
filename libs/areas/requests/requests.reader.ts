import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { sliceOf, type Page } from '#platform/http/page';
import { PublicIds } from '#platform/http/public-ids';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { statusesOf, type RequestsQueryDto } from './request.dto';
import { COUNT_REQUESTS, LIST_REQUESTS, type RequestRow } from './request.query';

/**
 * Selects all requests of an account (`grantId` is null), or only the requests of a connected app with this grant (the
 * permission that the account has given to the app).
 */
export interface RequestsOf {
  readonly userId: number;
  readonly grantId: number | null;
}

/**
 * In the time span that begins at `at`: the number of requests with a status below 400 (`done`), and the number of all
 * other requests (`refused`).
 */
export interface RequestCount {
  readonly at: Date;
  readonly done: number;
  readonly refused: number;
}

/** Length of the time spans for which requests are counted. */
const SPAN_SECONDS = 6 * 3600;
/** An id that no token has. It replaces an invalid token id in the filter, so that the filter finds no requests. */
const UNKNOWN_TOKEN_ID = 0;

/** Reads the log of requests (LOG-3 to LOG-5). */
@Injectable()
export class RequestsReader {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ids: PublicIds,
  ) {}

  get isOn(): boolean {
    return this.settings.requestLog;
  }

  /** The requests, newest first. @throws Refusal 404 if the log is off, 422 for an invalid `before` or `status` */
  async list(owner: RequestsOf, query: RequestsQueryDto): Promise<Page<RequestRow>> {
    if (!this.isOn) throw new Refusal('not_found');
    return readPage(this.database, LIST_REQUESTS, this.valuesOf(owner, query), sliceOf(query));
  }

  /**
   * Counts the requests of `list` for each time span (`firstSpan`). `list` can contain requests from before the first
   * span; they are not counted.
   */
  async overTime(owner: RequestsOf, query: RequestsQueryDto): Promise<RequestCount[]> {
    const first = this.firstSpan();
    const rows = await this.database.rows<RequestCount>(COUNT_REQUESTS, [
      ...this.valuesOf(owner, query),
      SPAN_SECONDS,
      first,
    ]);
    const counts = new Map(rows.map((row) => [row.at.getTime(), row]));
    return Array.from({ length: LIMITS.request_log.seconds / SPAN_SECONDS }, (_, n) => {
      const at = new Date(first.getTime() + n * SPAN_SECONDS * 1000);
      return counts.get(at.getTime()) ?? { at, done: 0, refused: 0 };
    });
  }

  /** The beginning of the first span. The last span contains the current time. */
  private firstSpan(): Date {
    const now = this.clock.now().getTime();
    return new Date(now - (now % (SPAN_SECONDS * 1000)) - (LIMITS.request_log.seconds - SPAN_SECONDS) * 1000);
  }

  private valuesOf({ userId, grantId }: RequestsOf, query: RequestsQueryDto): unknown[] {
    const since = new Date(this.clock.now().getTime() - LIMITS.request_log.seconds * 1000);
    const before = query.before === undefined ? null : this.ids.decode('request', query.before);
    if (query.before !== undefined && before === null) throw Refusal.invalid('before', 'request_before');
    const [from, to] = query.status === undefined ? [null, null] : statusesOf(query.status);
    const token = query.token === undefined ? null : (this.ids.decode('token', query.token) ?? UNKNOWN_TOKEN_ID);
    return [userId, since, grantId, before, from, to, query.code ?? null, query.route ?? null, token];
  }
}
