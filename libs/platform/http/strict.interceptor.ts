import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { REFUSALS } from '#contract/refusals';
import { canWrite } from '#contract/vocabulary';
import type { Database } from '../database/database';
import { Refusal } from './refusal';
import { hasIgnoredNames, refuseUnknownNames } from './strict';

/**
 * Refuses unknown names in strict requests to operations without query parameters and body (WIRE-53). Other operations
 * refuse unknown names when they read their input, after the checks of visibility and rights. An operation without
 * input has no such step. Therefore it runs as a dry run, and the names are refused afterwards. If the operation throws
 * an error, this error is the response instead. A refusal with 409 (a check of the state) is ignored.
 */
export class StrictInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!hasIgnoredNames(request, context.getHandler())) return next.handle();
    return from(this.refuseAfterHandler(next, request));
  }

  private async refuseAfterHandler(next: CallHandler, request: FastifyRequest): Promise<void> {
    // With an idempotency key or as a dry run, the request already has a unit of work, which is also rolled back.
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
