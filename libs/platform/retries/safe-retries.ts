import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal';
import { digestForm, digestOf } from '../uploads/form-digest';
import { readUnreadForm } from '../uploads/multipart';
import { Attempt } from './attempt';
import { contentOf, fingerprintOf } from './fingerprint';
import { invalidKey, type IdempotencyKey } from './idempotency-key';
import type { StoredResponse, StoredResponses, Retryable } from './stored-responses';
import { inProgress } from './in-progress-wait';

/**
 * Headers that this attempt's own response can contain: the headers of an error (platform/http/envelope.ts), and the
 * `ETag`. They are removed if the stored response is sent instead.
 */
const ATTEMPT_HEADERS = ['etag', 'link', 'retry-after', 'allow'];
const log = new Logger('Retries');

/**
 * Ensures that a change with an `Idempotency-Key` is made only once (RETRY-1 to RETRY-11). All changes that the request
 * makes in the database are one transaction, which also stores the response. Only writes by
 * `Database.outsideTransaction`, such as counts of wrong passwords, are not a part of this transaction. A multipart
 * request also has a claim (`Leases`): a row outside this transaction, from which other requests know that this request
 * is in progress. Requests without a key are not affected. Call this function after the hook that calls `Admission` is
 * registered, because that hook reads the key and the stored response.
 */
export function makeRetriesSafe(fastify: FastifyInstance, storedResponses: StoredResponses): void {
  fastify.decorateRequest('idempotencyKey', null);
  fastify.decorateRequest('sealedResponse', null);
  fastify.decorateRequest('retryable', null);
  fastify.decorateRequest('unit', null);

  // This hook runs before the body is read. `idempotencyKey` is null for requests outside the API.
  fastify.addHook('onRequest', (request, _reply, done) =>
    done(request.idempotencyKey?.isAccepted === false ? invalidKey() : undefined),
  );

  // This hook runs after a JSON body was read. Forms are read later.
  fastify.addHook('preHandler', (request, reply, done) => {
    const { caller } = request;
    const keyHash = request.idempotencyKey?.hash ?? null;
    if (keyHash === null || !caller) return done();
    begin(request, reply, caller.id, keyHash).then((mustContinue) => (mustContinue ? done() : undefined), done);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { retryable } = request;
    if (!retryable) return done(null, payload);
    // `retryable` is reset first, because Fastify runs this hook again for the error response if the code below fails.
    request.retryable = null;
    const answer =
      reply.statusCode < 300
        ? storeAnswer(request, reply, retryable, payload)
        : afterRefusal(request, reply, retryable, payload);
    answer.finally(() => endAttempt(retryable)).then((body) => done(null, body), done);
  });

  /** Returns false if the change was already made; the stored response was then sent. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    account: number,
    keyHash: string,
  ): Promise<boolean> {
    const form = request.isMultipart() ? digestForm(request) : null;
    await storedResponses.prepare();
    const found = await findOrClaim(request, account, keyHash);
    if (found instanceof Attempt) {
      const unit = storedResponses.unit(found);
      request.retryable = { attempt: found, unit };
      request.unit = unit;
      return true;
    }
    const { uploadRules } = request.routeOptions.config;
    if (form && uploadRules) await readUnreadForm(request, uploadRules);
    // Fastify would send the text "null" for null.
    void reply.send(replay(request, reply, found) ?? undefined);
    return false;
  }

  /**
   * A form may need minutes of work before its transaction, so it gets a claim (see `Leases`) that other requests can
   * see. A request without a form needs only its transaction.
   */
  async function findOrClaim(
    request: FastifyRequest,
    account: number,
    keyHash: string,
  ): Promise<StoredResponse | Attempt> {
    if (request.sealedResponse !== null) return storedResponses.unseal(request.sealedResponse);
    return request.isMultipart() ? storedResponses.claim(account, keyHash) : new Attempt(account, keyHash);
  }

  /**
   * Stores the response in the transaction of the change. If another request has made the change, returns the response
   * of that request.
   */
  async function storeAnswer(
    request: FastifyRequest,
    reply: FastifyReply,
    { attempt, unit }: Retryable,
    payload: unknown,
  ): Promise<unknown> {
    try {
      if (await storedResponses.commit(unit, attempt, answerOf(request, reply, payload))) return payload;
    } catch (error) {
      // Another request with the key is in progress. This request has changed nothing.
      if (!(error instanceof Refusal)) throw error;
    }
    const other = await storedResponses.find(attempt);
    if (!other) throw inProgress();
    return replay(request, reply, other);
  }

  /**
   * This function is called if the response is an error. It rolls back the transaction, so this request changes
   * nothing. If another request with the key is making the change, or has just made it, the response of that request
   * replaces this error.
   */
  async function afterRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    { attempt, unit }: Retryable,
    payload: unknown,
  ): Promise<unknown> {
    await unit.rollback();
    let other: StoredResponse | null;
    try {
      other = await storedResponses.findWhenSettled(attempt);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      log.warn({ err: error }, 'it is unknown whether another request has made the change');
      return payload;
    }
    // The error may have come before the whole form was read. A different fingerprint then does not prove that the key
    // was reused, so the error of this request is sent.
    if (other === null || (request.isMultipart() && other.fingerprint !== fingerprint(request))) return payload;
    return replay(request, reply, other);
  }

  async function endAttempt({ attempt }: Retryable): Promise<void> {
    await storedResponses.end(attempt).catch((error: unknown) => log.warn({ err: error }, 'a claim was not freed'));
  }
}

/** Sets the status and the headers of the stored response, and returns its body. */
function replay(
  request: FastifyRequest,
  reply: FastifyReply,
  { fingerprint: first, status, type, location, body }: StoredResponse,
): string | null {
  if (first !== fingerprint(request)) throw new Refusal('idempotency_key_reused');
  void reply.code(status).header('idempotency-replayed', 'true');
  for (const name of ATTEMPT_HEADERS) void reply.removeHeader(name);
  if (type === null) void reply.removeHeader('content-type');
  else void reply.header('content-type', type);
  if (location !== null) void reply.header('location', location);
  return body === '' ? null : body;
}

function fingerprint(request: FastifyRequest): string {
  const content = request.isMultipart() ? (digestOf(request)?.content ?? '') : contentOf(request.body);
  return fingerprintOf(request.method, request.url, content);
}

function answerOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): StoredResponse {
  return {
    fingerprint: fingerprint(request),
    status: reply.statusCode,
    type: stringOrNull(reply.getHeader('content-type')),
    location: stringOrNull(reply.getHeader('location')),
    body: stringOrNull(payload) ?? '',
  };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * `NO_KEY` if the header `Idempotency-Key` is missing, if the request only reads, or if it is a dry run. Null until
     * `Admission` has run, and for requests outside the API.
     */
    idempotencyKey: IdempotencyKey | null;
    /** The stored response for the key. `Admission` has read it; it is still encrypted. Null if there is none. */
    sealedResponse: string | null;
    /** The change that this request is making with an `Idempotency-Key`; null for all other requests. */
    retryable: Retryable | null;
  }
}
