import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { authenticatedOf } from './admitted';

/** 403 `premium_required` for an account that is not, or no longer, entitled to use tokens. */
@Injectable()
export class PremiumGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!authenticatedOf(context.switchToHttp().getRequest<FastifyRequest>()).eligible) throw new Refusal('premium_required');
    return true;
  }
}
