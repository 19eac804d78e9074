import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '#platform/database/database';
import { AuditLog } from '#platform/audit/audit-log';
import { Clock } from '#platform/time/clock';
import { APP_BY_CLIENT_ID, APPS, SET_IP_WINDOW, SET_SUSPENDED, type AppRow } from './app.query';
import { GRANTS_OF_APP } from './grant.query';

/** The number of grants of an app, and the number of people who gave these grants. */
export interface GrantCounts {
  readonly grants: number;
  readonly people: number;
}

/** Operators' commands for apps (APP-20, APP-21). */
@Injectable()
export class AppsCommands {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(): Promise<AppRow[]> {
    return this.database.rows<AppRow>(APPS);
  }

  /** Returns null for an unknown app. */
  async byClientId(clientId: string): Promise<AppRow | null> {
    return (await this.database.rows<AppRow>(APP_BY_CLIENT_ID, [clientId]))[0] ?? null;
  }

  async countGrants({ id }: AppRow): Promise<GrantCounts> {
    const [row] = await this.database.rows<GrantCounts>(GRANTS_OF_APP, [id]);
    return { grants: row?.grants ?? 0, people: row?.people ?? 0 };
  }

  /**
   * Suspends an app: its tokens and door links are refused from the next request on, its webhooks send nothing, and it
   * gets no new tokens. Returns false for an unknown app.
   */
  suspend(clientId: string): Promise<boolean> {
    return this.change('app suspend', SET_SUSPENDED, clientId, this.clock.now(), {});
  }

  /** Ends the suspension: the app's grants, webhooks and door links work again. Returns false for an unknown app. */
  resume(clientId: string): Promise<boolean> {
    return this.change('app resume', SET_SUSPENDED, clientId, null, {});
  }

  /**
   * Sets the app's own limit of requests. Returns false for an unknown app.
   *
   * @param perMinute the limit of requests per minute; null: the app's requests count towards the limit of their IP
   * address
   */
  setIpWindow(clientId: string, perMinute: number | null): Promise<boolean> {
    return this.change('app update', SET_IP_WINDOW, clientId, perMinute, { ip_window: perMinute });
  }

  private change(
    action: string,
    sql: Statement,
    clientId: string,
    value: unknown,
    details: Record<string, unknown>,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if ((await tx.rows(sql, [clientId, value, this.clock.now()])).length === 0) return false;
      await this.audit.record(tx, { actorId: null, action, subject: `app ${clientId}`, details });
      return true;
    });
  }
}
