import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { REFUSALS } from '#contract/refusals';
import type { Database } from '../database/database';
import { canWrite } from '../http/prefer';
import { Refusal } from '../http/refusal';
import { hasIgnoredNames, refuseUnknownNames } from '../http/strict';

/**
 * Refuses unknown names in strict requests to operations without query parameters and body (WIRE-53). Such an operation
 * reads no input, so it has no step between its checks of visibility and rights and its other work. Therefore it runs
 * as a dry run, and the names are refused afterwards, unless visibility or rights were refused.
 */
export class StrictInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!hasIgnoredNames(request, context.getHandler())) return next.handle();
    return from(this.refuseAfterHandler(next, request));
  }

  private async refuseAfterHandler(next: CallHandler, request: FastifyRequest): Promise<void> {
    // With an idempotency key or as a dry run, the request has a unit already, which is also rolled back.
    if (canWrite(request.method) && request.unit === null) {
      request.dryRun = true;
      request.unit = this.database.dryUnit();
    }
    try {
      await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      if (!(error instanceof Refusal) || REFUSALS[error.code].status !== 409) throw error;
    }
    refuseUnknownNames(request);
  }
}
