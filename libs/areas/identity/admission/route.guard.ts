import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { RouteTable } from '#platform/http/routes';

/** 404 `not_found` for an unknown path, 405 `method_not_allowed` with `Allow` for another method of a known one. */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!request.is404 && !this.routes.isMistaken(request.method, request.url)) return true;
    const allow = this.routes.allowed(request.url);
    throw allow.length === 0 ? new Refusal('not_found') : new Refusal('method_not_allowed', { allow });
  }
}
