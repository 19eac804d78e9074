import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Settings } from '#platform/config/settings';
import { Database, statement } from '#platform/database/database';
import { freeBytes } from '#platform/media/free-bytes';
import { Readiness } from './readiness';

/** A database server that is read-only counts as unavailable. */
const PING = statement('health_ping', `SELECT current_setting('transaction_read_only') = 'off' AS writable`);
/**
 * Minimum number of free bytes on the disk of DATA_DIR. With fewer free bytes, the server cannot accept requests with a
 * large body.
 */
const MIN_FREE_BYTES = 16 * 2 ** 20;

/**
 * Probes for load balancers: `live` answers 200 while the process runs, `ready` while the process can serve requests.
 * Everybody can request the probes, so a response contains only `ok` or `unavailable`.
 */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly readiness: Readiness,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * Answers 503 if the database does not answer or is read-only, if the disk is almost full (`MIN_FREE_BYTES`), or if
   * the server is shutting down.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<{ status: 'ok' | 'unavailable' }> {
    const parts = await Promise.allSettled([this.takesWrites(), this.hasRoom()]);
    if (this.readiness.isReady && parts.every(({ status }) => status === 'fulfilled')) return { status: 'ok' };
    void reply.code(503);
    return { status: 'unavailable' };
  }

  private async takesWrites(): Promise<void> {
    const [answer] = await this.database.rows<{ writable: boolean }>(PING);
    if (!answer?.writable) throw new Error('the database takes no writes');
  }

  private async hasRoom(): Promise<void> {
    if ((await freeBytes(this.settings.dataDir)) < MIN_FREE_BYTES) throw new Error('the disk is almost full');
  }
}
