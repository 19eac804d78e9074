import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { READING_METHODS } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { authenticatedOf } from './admitted';

const READING: ReadonlySet<string> = new Set(READING_METHODS);

/** 403 `insufficient_scope` for a method that writes, with a token that may only read. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (authenticatedOf(request).caller.token.access === 'read' && !READING.has(request.method)) throw new Refusal('insufficient_scope');
    return true;
  }
}
