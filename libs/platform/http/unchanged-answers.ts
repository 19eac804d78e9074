import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isNoneMatchMet } from './etags';
import type { Grounds } from './grounds';

/** An answer that somebody has, by its tag. */
interface Known {
  readonly etag: string;
  readonly vary: string | number | string[] | undefined;
  /** The account as it was: of what is said of its own person nothing need be asked. */
  readonly caller: string;
  readonly grounds: Grounds;
  /** When it last stood: milliseconds of a clock that is never set. */
  readonly stoodMs: number;
}

/** How many answers are remembered, of 1 to 3 KB each; the one that was asked for longest ago goes first. */
const MOST = 5_000;
/** Milliseconds after which one that nobody asked for is made anew. Far less than changes of lists are kept for: 10 minutes from the beginning of their transaction. */
const KEPT_MS = 120_000;

/**
 * Answers by account and URL, without their bodies: whoever has one is told that it has not changed, as long as what it rests on stands.
 * That is asked of the database every time, so it holds whoever changes what, on whatever server; what is remembered here is only how
 * to ask.
 */
export class UnchangedAnswers {
  private readonly known = new LRUCache<string, Known>({ max: MOST });

  /** The answer that the request has, where it still is the answer; null where it has to be made to be known. */
  async find(request: FastifyRequest, now: Date): Promise<Pick<Known, 'etag' | 'vary'> | null> {
    const question = questionOf(request);
    const known = this.known.get(question);
    if (!known || !isNoneMatchMet(request.headers['if-none-match'], known.etag)) return null;
    const isFresh = performance.now() - known.stoodMs < KEPT_MS && known.caller === callerOf(request);
    if (!isFresh || !(await known.grounds.stand(now))) {
      if (this.known.get(question) === known) this.known.delete(question);
      return null;
    }
    this.known.set(question, { ...known, stoodMs: performance.now() });
    return known;
  }

  keep(request: FastifyRequest, answer: Pick<Known, 'etag' | 'vary' | 'grounds'>): void {
    this.known.set(questionOf(request), { ...answer, caller: callerOf(request), stoodMs: performance.now() });
  }
}

function questionOf({ caller, url }: FastifyRequest): string {
  return `${caller?.id ?? ''} ${url}`;
}

/** All that admission has read of the account; with which of its tokens it comes is no part of any answer that has grounds. */
function callerOf({ caller }: FastifyRequest): string {
  return JSON.stringify({ ...caller, token: null });
}
