import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { lasting, type Usage } from '#platform/rate-limit/usage';
import { COUNT_WEBHOOKS } from './webhook.query';

/** How many webhooks somebody has: what refuses the sixth, and what `GET /limits` tells. */
@Injectable()
export class WebhooksCommands {
  async usage(on: Queryable, userId: number): Promise<Usage> {
    const [row] = await on.rows<{ total: number }>(COUNT_WEBHOOKS, [userId]);
    return lasting(row?.total ?? 0);
  }
}
