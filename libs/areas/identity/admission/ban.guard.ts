import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { authenticatedOf } from './admitted';

/** 403 `banned` for an account that an operator has banned. */
@Injectable()
export class BanGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (authenticatedOf(context.switchToHttp().getRequest<FastifyRequest>()).banned) throw new Refusal('banned');
    return true;
  }
}
