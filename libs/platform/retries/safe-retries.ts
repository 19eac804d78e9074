import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { READING_METHODS } from '#contract/vocabulary';
import type { Database } from '../database/database';
import { unitsOfWork, type UnitOfWork } from '../database/unit-of-work';
import { Refusal } from '../http/refusal';
import { digestForm, digestOf } from '../uploads/form-digest';
import { skimUnreadForm } from '../uploads/multipart';
import { contentOf, fingerprintOf } from './fingerprint';
import { idempotencyKey } from './idempotency-key';
import type { Attempt, KeptAnswer, KeptAnswers } from './kept-answers';

/** A change that was sent with a key and is being made. */
interface Retryable {
  readonly attempt: Attempt;
  readonly unit: UnitOfWork;
}

const READING: ReadonlySet<string> = new Set(READING_METHODS);
const HEADER = 'idempotency-key';
const log = new Logger('Retries');

/**
 * Makes changes that are sent with an `Idempotency-Key` happen once (RETRY-1 to RETRY-11): all that the request does in the database
 * is one transaction, in which its answer is kept too. Requests without a key pass by. Call it after admission's hook.
 */
export function makeRetriesSafe(fastify: FastifyInstance, database: Database, kept: KeptAnswers): void {
  fastify.decorateRequest('idempotencyKey', null);
  fastify.decorateRequest('retryable', null);

  // Before the body is read; who is not known by now is no caller of the API.
  fastify.addHook('onRequest', async (request) => {
    if (HEADER in request.headers && request.caller && !READING.has(request.method)) request.idempotencyKey = idempotencyKey(request.raw);
  });

  // Once the body is read, but for a form.
  fastify.addHook('preHandler', (request, reply, done) => {
    const { caller, idempotencyKey: key } = request;
    if (key === null || !caller) return done();
    begin(request, reply, caller.id, key).then((unit) => (unit ? unitsOfWork.run(unit, done) : undefined), done);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { retryable } = request;
    if (!retryable) return done(null, payload);
    request.retryable = null; // an error of what follows is answered by this way again
    const answer = reply.statusCode < 300 ? keep(request, reply, retryable, payload) : refused(request, reply, retryable, payload);
    answer.finally(() => kept.end(retryable.attempt)).then((body) => done(null, body), done);
  });

  /** The unit of work of a change to be made; null when it was made before, and has been answered. */
  async function begin(request: FastifyRequest, reply: FastifyReply, account: number, key: string): Promise<UnitOfWork | null> {
    const form = request.isMultipart() ? digestForm(request) : null;
    const found = await kept.claim(account, key);
    if ('holder' in found) {
      const unit = database.unit();
      request.retryable = { attempt: found, unit };
      return unit;
    }
    const { uploadRules } = request.routeOptions.config;
    if (form && uploadRules) await skimUnreadForm(request, uploadRules);
    // Null would be made JSON.
    void reply.send(replay(request, reply, found) ?? undefined);
    return null;
  }

  /** Keeps the answer in the transaction of the change; or finds that somebody else has made the change, and gives their answer. */
  async function keep(request: FastifyRequest, reply: FastifyReply, { attempt, unit }: Retryable, payload: unknown): Promise<unknown> {
    const answer = answerOf(request, reply, payload);
    try {
      if (await unit.commitIf((tx) => kept.keep(tx, attempt, answer))) return payload;
    } catch (error) {
      await free(attempt);
      throw error;
    }
    const other = await kept.find(attempt);
    if (!other) throw new Refusal('request_in_progress', { retryAfter: 1 });
    return replay(request, reply, other);
  }

  /** Nothing was changed. A claim that was lost meanwhile may have been used: then this refusal is not the answer. */
  async function refused(request: FastifyRequest, reply: FastifyReply, { attempt, unit }: Retryable, payload: unknown): Promise<unknown> {
    await unit.rollback();
    if (await free(attempt)) return payload;
    const other = await kept.find(attempt).catch(() => null);
    return other && other.fingerprint === fingerprint(request) ? replay(request, reply, other) : payload;
  }

  /** Whether it was still held. What cannot be freed now is free when the claim has not been renewed for a while. */
  async function free(attempt: Attempt): Promise<boolean> {
    try {
      return await kept.free(attempt);
    } catch (error) {
      log.warn({ err: error }, 'a claim was not freed');
      return true;
    }
  }
}

/** The first answer once more; its body. */
function replay(request: FastifyRequest, reply: FastifyReply, { fingerprint: first, status, type, location, body }: KeptAnswer): string | null {
  if (first !== fingerprint(request)) throw new Refusal('idempotency_key_reused');
  void reply.code(status).header('idempotency-replayed', 'true').removeHeader('etag');
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
    /** Of a request that writes; null without one. */
    idempotencyKey: string | null;
    /** null but for a change that is being made with a key. */
    retryable: Retryable | null;
  }
}
