import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { Authentication } from '../authentication';

/** 401 `unauthenticated` without a good token; from here on `request.caller` is known. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(private readonly authentication: Authentication) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const known = await this.authentication.authenticate(request.headers.authorization);
    if (!known) throw new Refusal('unauthenticated');
    request.authenticated = known;
    request.caller = known.caller;
    return true;
  }
}
