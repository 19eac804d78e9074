import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestWindows } from '#platform/rate-limit/request-windows';
import { authenticatedOf } from './admitted';
import { tellWindow } from './request-window';

/** 429 `too_many_requests` above the window of the token. */
@Injectable()
export class TokenWindowGuard implements CanActivate {
  constructor(private readonly windows: RequestWindows) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { token } = authenticatedOf(http.getRequest<FastifyRequest>()).caller;
    tellWindow(http.getResponse<FastifyReply>(), await this.windows.hit('token', token.id));
    return true;
  }
}
