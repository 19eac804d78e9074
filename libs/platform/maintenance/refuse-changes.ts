import type { FastifyInstance, FastifyRequest } from 'fastify';
import { canWrite } from '#contract/vocabulary';
import { LIMITS } from '#contract/limits';
import { ServiceBusy } from '../capacity/service-busy';
import type { Maintenance, MaintenanceState } from './maintenance';

/**
 * During maintenance, refuses every request that may change something. The response is 503 with `Retry-After`
 * (OPS-120). Register this hook after the hook that calls `Admission`, so that an invalid token or an unknown path is
 * refused first.
 *
 * @param exemptRoutes routes that this hook does not refuse, because their requests are checked elsewhere
 */
export function refuseChanges(
  fastify: FastifyInstance,
  maintenance: Maintenance,
  exemptRoutes: readonly string[],
): void {
  fastify.decorateRequest('maintenance', null);
  fastify.addHook('onRequest', async (request: FastifyRequest) => {
    if (!canWrite(request.method) || request.is404 || exemptRoutes.includes(request.routeOptions.url ?? '')) return;
    const state = await maintenance.recentState();
    if (!state) return;
    request.maintenance = state;
    throw new ServiceBusy(LIMITS.maintenance.retry_after, { key: 'maintenance', values: { message: state.message } });
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The state of maintenance if this hook has refused the request, otherwise null. */
    maintenance: MaintenanceState | null;
  }
}
