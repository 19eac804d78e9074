import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { ApplyEvents, type MadeEvent } from './apply-events';
import { ApplyUsers, type MadeUser } from './apply-users';
import { listOf, objectOf } from './document';

export interface Applied {
  users: MadeUser[];
  events: MadeEvent[];
}

/** `cli apply`: one document, one transaction, idempotent by the slugs of its users (README, "The operator's command line"). */
@Injectable()
export class ApplyCommands {
  constructor(
    private readonly database: Database,
    private readonly users: ApplyUsers,
    private readonly events: ApplyEvents,
  ) {}

  /** The whole document is checked before anything is written. `folder`: what paths of pictures are relative to. */
  async apply(document: unknown, folder = process.cwd()): Promise<Applied> {
    const sections = objectOf(document, ['users', 'events'], 'The document');
    const users = listOf(sections.users, 'users').map((one, i) => this.users.read(one, `users.${i}`, folder));
    const events = listOf(sections.events, 'events').map((one, i) => this.events.read(one, `events.${i}`));
    return this.database.transaction(async (tx) => ({
      users: await this.users.write(tx, users, new Map()),
      events: await this.events.write(tx, events),
    }));
  }
}
