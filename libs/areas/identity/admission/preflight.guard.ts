import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerPreflight } from '#platform/http/wire-headers';

/** Answers a preflight, which has no token; nothing else is asked of it. */
@Injectable()
export class PreflightGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    if (http.getRequest<FastifyRequest>().method !== 'OPTIONS') return true;
    answerPreflight(http.getResponse<FastifyReply>());
    return false;
  }
}
