import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestForm } from '../uploads/form-digest';
import { readUnreadForm } from '../uploads/multipart';
import { invalidKey, type IdempotencyKey } from './idempotency-key';
import { isResponseTo, replay, storedResponseOf } from './replay';
import type { Retryable, StoredResponses } from './stored-responses';

/**
 * Ensures that a change with an `Idempotency-Key` is made only once (RETRY-1 to RETRY-11). All changes that the request
 * makes in the database are one transaction, which also stores the response. Only writes by
 * `Database.outsideTransaction`, such as counts of wrong passwords, are not a part of this transaction. A multipart
 * request also has a claim (see `StoredResponses`), because it may need minutes of work before its transaction.
 * Requests without a key are not affected. Call this function after the hook that calls `Admission` is registered,
 * because that hook reads the key and the stored response.
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
    end(request, reply, retryable, payload).then((body) => done(null, body), done);
  });

  /** Returns false if the change was already made; the stored response was then sent. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    account: number,
    keyHash: string,
  ): Promise<boolean> {
    const { sealedResponse } = request;
    const { uploadRules } = request.routeOptions.config;
    const isForm = request.isMultipart();
    if (isForm) digestForm(request);
    const begun =
      sealedResponse === null
        ? await storedResponses.begin(account, keyHash, isForm)
        : await storedResponses.unseal(sealedResponse);
    if ('unit' in begun) {
      request.retryable = begun;
      request.unit = begun.unit;
      return true;
    }
    if (uploadRules) await readUnreadForm(request, uploadRules);
    // Fastify would send the text "null" for null.
    void reply.send(replay(request, reply, begun) ?? undefined);
    return false;
  }

  /** Ends the change, and returns the body of the response: of this request, or of the request that made the change. */
  async function end(
    request: FastifyRequest,
    reply: FastifyReply,
    retryable: Retryable,
    payload: unknown,
  ): Promise<unknown> {
    const isError = reply.statusCode >= 300;
    const other = isError
      ? await storedResponses.afterError(retryable)
      : await storedResponses.finish(retryable, storedResponseOf(request, reply, payload));
    if (other === null) return payload;
    // The error may have come before the whole form was read. A different fingerprint then does not prove that the key
    // was reused, so the error of this request is sent.
    if (isError && request.isMultipart() && !isResponseTo(request, other)) return payload;
    return replay(request, reply, other);
  }
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
