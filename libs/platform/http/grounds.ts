import type { FastifyRequest } from 'fastify';
import type { Queryable, Statement } from '../database/transaction';
import { currentRequest } from '../context/current-request';

/**
 * What an answer rests on: asked again, it says whether the same question would still be answered with the same bytes
 * (docs/adr/0230-unchanged-answers.md). It must not say yes when it cannot know.
 */
export interface Grounds {
  stand(now: Date): Promise<boolean>;
}

/** Beside what is answered, as `withVersion` has it: the one resource, or the items of a page. */
const GROUNDS = new WeakMap<object, Grounds>();

/**
 * What is answered, with its grounds: an answer whose whole `data` it is may then be told unchanged without being made. A copy, and what
 * is shown within something else, has none.
 */
export function restingOn<Data extends object>(data: Data, grounds: Grounds): Data {
  GROUNDS.set(data, grounds);
  return data;
}

/** The same things shown in another shape, which nothing but they themselves decide: they rest on the same. */
export function restingOnTheSame<Data extends object>(shown: Data, from: object): Data {
  const grounds = groundsOf(from);
  return grounds ? restingOn(shown, grounds) : shown;
}

/** Null for what has to be made to be known. */
export function groundsOf(data: unknown): Grounds | null {
  return typeof data === 'object' && data !== null ? (GROUNDS.get(data) ?? null) : null;
}

/** Whether a request of somebody known holds a former answer against this one. */
export function asksAgain({ method, headers, caller }: FastifyRequest): boolean {
  return caller !== null && (method === 'GET' || method === 'HEAD') && headers['if-none-match'] !== undefined;
}

/** Whether the request under way does: for the others no grounds need be found. */
export function isAskedAgain(): boolean {
  const request = currentRequest.getStore();
  return request !== undefined && asksAgain(request);
}

/** From the moment an answer was made to the next at which time alone may change it; without one there is none. */
export interface Span {
  readonly since: Date;
  readonly until: Date | null;
}

/** The time from `since` to the first of those instants that comes after it. */
export function spanTo(since: Date, instants: Iterable<Date | null>): Span {
  let until: Date | null = null;
  for (const instant of instants) if (instant !== null && instant >= since && (until === null || instant < until)) until = instant;
  return { since, until };
}

export function isWithin({ since, until }: Span, now: Date): boolean {
  return now >= since && (until === null || now < until);
}

/** What stands as long as a statement finds a row, and time alone changes nothing. */
export class FoundGrounds implements Grounds {
  /** @param values the statement's, at a moment */
  constructor(
    private readonly on: Queryable,
    private readonly sql: Statement,
    private readonly values: (now: Date) => readonly unknown[],
    private readonly span: Span,
  ) {}

  async stand(now: Date): Promise<boolean> {
    return isWithin(this.span, now) && (await this.on.rows(this.sql, this.values(now))).length > 0;
  }
}
