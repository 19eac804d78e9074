import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database';
import { refuseMisspeltDryRun } from '../http/prefer';

/** Headers with the address or the tag of a resource. They are removed, because a dry run stores no resource. */
const RESOURCE_HEADERS = ['location', 'etag'];

/**
 * Rolls back the transaction of every dry run before the response is sent (TRY-1). Most operations contain no code for
 * dry runs: all transactions of an operation join the transaction of the dry run, and work that was registered with
 * `afterCommit` never runs. Register these hooks after the hook that calls `Admission`.
 */
export function rollBackDryRuns(fastify: FastifyInstance, database: Database): void {
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
    const rolledBack = request.unit?.rollback() ?? Promise.resolve();
    rolledBack.then(() => done(null, payload), done);
  });
}
