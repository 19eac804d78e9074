import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database';
import { refuseMisspeltDryRun } from '../http/prefer';

/** Headers that refer to a resource that a dry run has not created. */
const RESOURCE_HEADERS = ['location', 'etag'];

/**
 * Rolls the one transaction of every dry run back before its answer is sent (TRY-1). Operations need no code for dry
 * runs: they join the transaction, and their work for after the commit never runs. Register this hook after
 * admission's.
 */
export function rollDryRunsBack(fastify: FastifyInstance, database: Database): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.caller) refuseMisspeltDryRun(request);
    done();
  });

  fastify.addHook('preHandler', (request, _reply, done) => {
    if (request.dryRun && request.caller) request.unit = database.dryUnit();
    done();
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!request.dryRun) return done(null, payload);
    for (const name of RESOURCE_HEADERS) void reply.removeHeader(name);
    const over = request.unit?.rollback() ?? Promise.resolve();
    over.then(() => done(null, payload), done);
  });
}
