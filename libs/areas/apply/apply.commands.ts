import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { ApplyAvatars } from './apply-avatars';
import { ApplyEvents, type MadeEvent } from './apply-events';
import { ApplyPuls, type MadePuls } from './apply-puls';
import { ApplyUsers, type Expected, type MadeUser, type UserFields } from './apply-users';
import { listOf, objectOf } from './document';

export interface Applied {
  users: MadeUser[];
  events: MadeEvent[];
  puls: MadePuls[];
}

/** `cli apply`: one document, one transaction, idempotent by the slugs of its users (README, "The operator's command line"). */
@Injectable()
export class ApplyCommands {
  constructor(
    private readonly database: Database,
    private readonly users: ApplyUsers,
    private readonly events: ApplyEvents,
    private readonly puls: ApplyPuls,
    private readonly avatars: ApplyAvatars,
  ) {}

  /** The whole document is checked before anything is written. `folder`: what paths of pictures are relative to; `then` is done in the same transaction. */
  async apply(document: unknown, folder = process.cwd(), then: (tx: Transaction) => Promise<void> = async () => undefined): Promise<Applied> {
    const sections = objectOf(document, ['users', 'events', 'puls'], 'The document');
    const users = this.users.readAll(listOf(sections.users, 'users'), folder);
    const events = listOf(sections.events, 'events').map((one, i) => this.events.read(one, `events.${i}`));
    const puls = listOf(sections.puls, 'puls').map((one, i) => this.puls.read(one, `puls.${i}`));
    return this.avatars.withStored(users, (keys) =>
      this.database.transaction(async (tx) => {
        await this.avatars.keep(tx, keys);
        const applied = { users: await this.users.write(tx, users, keys), events: await this.events.write(tx, events), puls: await this.puls.write(tx, puls) };
        await then(tx);
        return applied;
      }),
    );
  }

  /** One account, as the document's users are made or changed; `then` is done in the same transaction. */
  async account(slug: string, fields: UserFields, expected: Expected, then: (tx: Transaction) => Promise<void>): Promise<void> {
    const user = this.users.readOne(slug, fields, expected, process.cwd());
    await this.avatars.withStored([user], (keys) =>
      this.database.transaction(async (tx) => {
        await this.avatars.keep(tx, keys);
        await this.users.write(tx, [user], keys);
        await then(tx);
      }),
    );
  }
}
