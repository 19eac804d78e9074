import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';
import { COUNT_WEBHOOKS } from './webhook.query';

/** The number of an account's webhooks, for the limit and for `GET /limits`. */
@Injectable()
export class WebhooksCommands {
  async usage(on: Queryable, userId: number): Promise<Usage> {
    const [row] = await on.rows<{ total: number }>(COUNT_WEBHOOKS, [userId]);
    return usageWithoutExpiry(row?.total ?? 0);
  }
}
