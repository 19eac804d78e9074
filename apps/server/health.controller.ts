import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Database, statement } from '#platform/database/database';
import { Jobs } from '#platform/jobs/jobs';
import { RequestWindows } from '#platform/rate-limit/request-windows';

const PING = statement('health_ping', 'SELECT 1 AS alive');

/** For load balancers and operators: `live` answers while the process does, `ready` while it can serve. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly windows: RequestWindows,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 503 while the database does not answer. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    try {
      await this.database.rows(PING);
      return { status: 'ok', database: 'ok', rate_limit: this.windows.place, jobs: await this.jobs.lastRuns() };
    } catch {
      void reply.code(503);
      return { status: 'unavailable', database: 'down' };
    }
  }
}
