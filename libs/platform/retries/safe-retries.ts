import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal';
import { digestForm, digestOf } from '../uploads/form-digest';
import { skimUnreadForm } from '../uploads/multipart';
import { Attempt } from './attempt';
import { contentOf, fingerprintOf } from './fingerprint';
import { notAKey, type IdempotencyKey } from './idempotency-key';
import type { KeptAnswer, KeptAnswers, Retryable } from './kept-answers';
import { inProgress } from './patience';

/** What a refusal of this try has said (platform/http/envelope.ts), and the tag of another answer. */
const OF_THIS_TRY = ['etag', 'link', 'retry-after', 'allow'];
const log = new Logger('Retries');

/**
 * Makes changes that are sent with an `Idempotency-Key` happen once (RETRY-1 to RETRY-11): all that the request does in the database
 * is one transaction, in which its answer is kept too. Requests without a key pass by. Call it after admission's hook, which finds
 * the key and what is kept for it.
 */
export function makeRetriesSafe(fastify: FastifyInstance, kept: KeptAnswers): void {
  fastify.decorateRequest('idempotencyKey', null);
  fastify.decorateRequest('keptAnswer', null);
  fastify.decorateRequest('retryable', null);
  fastify.decorateRequest('unit', null);

  // Before the body is read; who is not known by now is no caller of the API.
  fastify.addHook('onRequest', (request, _reply, done) =>
    done(request.idempotencyKey?.isGood === false ? notAKey() : undefined),
  );

  // Once the body is read, but for a form.
  fastify.addHook('preHandler', (request, reply, done) => {
    const { caller } = request;
    const keyHash = request.idempotencyKey?.hash ?? null;
    if (keyHash === null || !caller) return done();
    begin(request, reply, caller.id, keyHash).then((isToBeMade) => (isToBeMade ? done() : undefined), done);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { retryable } = request;
    if (!retryable) return done(null, payload);
    request.retryable = null; // an error of what follows is answered by this way again
    const answer =
      reply.statusCode < 300 ? keep(request, reply, retryable, payload) : refused(request, reply, retryable, payload);
    answer.finally(() => end(retryable)).then((body) => done(null, body), done);
  });

  /** False when the change was made before, and has been answered. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    account: number,
    keyHash: string,
  ): Promise<boolean> {
    const form = request.isMultipart() ? digestForm(request) : null;
    await kept.prepare();
    const found = await foundOrClaimed(request, account, keyHash);
    if (found instanceof Attempt) {
      const unit = kept.unit(found);
      request.retryable = { attempt: found, unit };
      request.unit = unit;
      return true;
    }
    const { uploadRules } = request.routeOptions.config;
    if (form && uploadRules) await skimUnreadForm(request, uploadRules);
    // Null would be made JSON.
    void reply.send(replay(request, reply, found) ?? undefined);
    return false;
  }

  /** A form may be work for minutes before its transaction begins, so others are told of it; anything else is as good as its transaction. */
  async function foundOrClaimed(
    request: FastifyRequest,
    account: number,
    keyHash: string,
  ): Promise<KeptAnswer | Attempt> {
    if (request.keptAnswer !== null) return kept.opened(request.keptAnswer);
    return request.isMultipart() ? kept.claim(account, keyHash) : new Attempt(account, keyHash);
  }

  /** Keeps the answer in the transaction of the change; or finds that somebody else has made the change, and gives their answer. */
  async function keep(
    request: FastifyRequest,
    reply: FastifyReply,
    { attempt, unit }: Retryable,
    payload: unknown,
  ): Promise<unknown> {
    try {
      if (await kept.commit(unit, attempt, answerOf(request, reply, payload))) return payload;
    } catch (error) {
      // Somebody else is at it; whatever else it is, nothing has happened.
      if (!(error instanceof Refusal)) throw error;
    }
    const other = await kept.find(attempt);
    if (!other) throw inProgress();
    return replay(request, reply, other);
  }

  /** Nothing was changed. But another with the key may be making the change, or just have made it: then this refusal is not the answer. */
  async function refused(
    request: FastifyRequest,
    reply: FastifyReply,
    { attempt, unit }: Retryable,
    payload: unknown,
  ): Promise<unknown> {
    await unit.rollback();
    let other: KeptAnswer | null;
    try {
      other = await kept.settled(attempt);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      log.warn({ err: error }, 'whether a change was made by another request is not known');
      return payload;
    }
    // Of a form that was refused unread nobody knows whether it is the same.
    if (other === null || (request.isMultipart() && other.fingerprint !== fingerprint(request))) return payload;
    return replay(request, reply, other);
  }

  async function end({ attempt }: Retryable): Promise<void> {
    await kept.end(attempt).catch((error: unknown) => log.warn({ err: error }, 'a claim was not freed'));
  }
}

/** The first answer once more; its body. */
function replay(
  request: FastifyRequest,
  reply: FastifyReply,
  { fingerprint: first, status, type, location, body }: KeptAnswer,
): string | null {
  if (first !== fingerprint(request)) throw new Refusal('idempotency_key_reused');
  void reply.code(status).header('idempotency-replayed', 'true');
  for (const name of OF_THIS_TRY) void reply.removeHeader(name);
  if (type === null) void reply.removeHeader('content-type');
  else void reply.header('content-type', type);
  if (location !== null) void reply.header('location', location);
  return body === '' ? null : body;
}

function fingerprint(request: FastifyRequest): string {
  const content = request.isMultipart() ? (digestOf(request)?.content ?? '') : contentOf(request.body);
  return fingerprintOf(request.method, request.url, content);
}

function answerOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): KeptAnswer {
  return {
    fingerprint: fingerprint(request),
    status: reply.statusCode,
    type: text(reply.getHeader('content-type')),
    location: text(reply.getHeader('location')),
    body: text(payload) ?? '',
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by who finds out who sends it; null before. */
    idempotencyKey: IdempotencyKey | null;
    /** What was kept for the key when that was found out, sealed; null: nothing. */
    keptAnswer: string | null;
    /** null but for a change that is being made with a key. */
    retryable: Retryable | null;
  }
}
