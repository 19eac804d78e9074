import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { ApplyAvatars } from './apply-avatars';
import { ApplyEvents, type AppliedEvent, type EventResult } from './apply-events';
import { ApplyPuls, type AppliedPuls, type PulsResult } from './apply-puls';
import { ApplyUsers, type Expected, type UserResult, type UserFields } from './apply-users';
import { DocumentErrors, listOf, objectOf } from './document';

export interface Applied {
  users: UserResult[];
  events: EventResult[];
  puls: PulsResult[];
}

/**
 * Writes one document in one transaction (`cli apply`). A user is found by the slug, and an event by the organizer and
 * the key (docs/commands.md).
 */
@Injectable()
export class ApplyCommands {
  constructor(
    private readonly database: Database,
    private readonly users: ApplyUsers,
    private readonly events: ApplyEvents,
    private readonly puls: ApplyPuls,
    private readonly avatars: ApplyAvatars,
  ) {}

  /**
   * Reports all errors of the document together. If there is any error, nothing is written. `folder` is the base of
   * relative paths of pictures; `then` is called at the end of the transaction.
   */
  async apply(
    document: unknown,
    folder = process.cwd(),
    then: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<Applied> {
    const errors = new DocumentErrors();
    const sections = objectOf(document, ['users', 'events', 'puls'], 'The document');
    const partsOf = (section: 'users' | 'events' | 'puls') =>
      errors.collect(() => listOf(sections[section], section)) ?? [];
    const users = await this.users.readAll(partsOf('users'), folder, errors);
    const readEvents: AppliedEvent[] = [];
    for (const [i, one] of partsOf('events').entries()) {
      const event = await this.events.read(one, `events.${i}`, errors);
      if (event) readEvents.push(event);
    }
    const events = this.events.withoutDuplicateKeys(readEvents, errors);
    const puls: AppliedPuls[] = [];
    for (const [i, one] of partsOf('puls').entries()) {
      const post = await errors.collectAsync(() => this.puls.read(one, `puls.${i}`));
      if (post) puls.push(post);
    }
    return this.avatars.withStored(users, errors, (keys) =>
      this.database.transaction(async (tx) => {
        const found = errors.copy();
        const known = await this.events.lockEventsAndGroups(tx, events);
        await this.avatars.keep(tx, keys);
        const applied = {
          users: await this.users.write(tx, users, keys, found),
          events: await this.events.write(tx, events, known, found),
          puls: await this.puls.write(tx, puls, found),
        };
        found.throwIfAny();
        await then(tx);
        return applied;
      }),
    );
  }

  /** Creates or changes one account, like a user in a document; `then` is called at the end of the transaction. */
  async account(
    slug: string,
    fields: UserFields,
    expected: Expected,
    then: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const errors = new DocumentErrors();
    const user = await this.users.readOne(slug, fields, expected, process.cwd(), errors);
    if (!user) return errors.throwIfAny();
    await this.avatars.withStored([user], errors, (keys) =>
      this.database.transaction(async (tx) => {
        const found = errors.copy();
        await this.avatars.keep(tx, keys);
        await this.users.write(tx, [user], keys, found);
        found.throwIfAny();
        await then(tx);
      }),
    );
  }
}
