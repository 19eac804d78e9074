import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { CONNECTED_APPS, unusedSince, type ConnectedApp } from './grant.query';
import { GrantsCommands } from './grants.commands';

/** The apps that a person has connected (APP-16). */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly database: Database,
    private readonly grants: GrantsCommands,
    private readonly clock: Clock,
  ) {}

  /** The connected apps, sorted by name. */
  list(userId: number): Promise<ConnectedApp[]> {
    return this.database.rows<ConnectedApp>(CONNECTED_APPS, [userId, unusedSince(this.clock.now())]);
  }

  /**
   * Ends all grants that the person gave to the app, and deletes the person's consent. From the next request on, the
   * tokens of these grants are refused. Throws 404 if the person has given the app no consent.
   */
  async disconnect(userId: number, appId: number): Promise<void> {
    if (!(await this.database.transaction((tx) => this.grants.disconnect(tx, userId, appId))))
      throw new Refusal('not_found');
  }

  disconnectAll(userId: number): Promise<void> {
    return this.database.transaction((tx) => this.grants.disconnectAll(tx, userId));
  }
}
