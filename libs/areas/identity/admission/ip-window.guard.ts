import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestWindows } from '#platform/rate-limit/request-windows';
import { tellWindow } from './request-window';

/** 429 `too_many_requests` above the window of the address. */
@Injectable()
export class IpWindowGuard implements CanActivate {
  constructor(private readonly windows: RequestWindows) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    tellWindow(http.getResponse<FastifyReply>(), await this.windows.hit('ip', http.getRequest<FastifyRequest>().ip));
    return true;
  }
}
