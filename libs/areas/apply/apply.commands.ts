import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { ApplyAvatars } from './apply-avatars';
import { ApplyEvents, type EventResult } from './apply-events';
import { ApplyPuls, type PulsResult } from './apply-puls';
import { ApplyUsers, type Expected, type UserResult, type SentUserFields } from './apply-users';
import { DocumentErrors } from './document';

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
   * If the document has errors, throws one error that lists all of them, and writes nothing. `folder` is the base of
   * relative paths of pictures; `then` is called at the end of the transaction.
   */
  async apply(
    document: unknown,
    folder = process.cwd(),
    then: (tx: Transaction, applied: Applied) => Promise<void> = async () => undefined,
  ): Promise<Applied> {
    const errors = new DocumentErrors();
    const sections = errors.object(document, ['users', 'events', 'puls'], 'The document') ?? {};
    const users = await this.users.readAll(sections.users, folder, errors);
    const events = this.events.withoutDuplicateKeys(
      await errors.list(sections.events, 'events', (one, where) => this.events.read(one, where, errors)),
      errors,
    );
    const puls = await errors.list(sections.puls, 'puls', (one, where) => this.puls.read(one, where, errors));
    return this.avatars.withStored(users, errors, (avatarKeys) =>
      this.database.transaction(async (tx) => {
        // The transaction may be run again, so each run has its own copy of the errors.
        const runErrors = errors.copy();
        const knownEvents = await this.events.lockEventsAndGroups(tx, events);
        await this.avatars.keep(tx, avatarKeys);
        const applied = {
          users: await this.users.write(tx, users, avatarKeys, runErrors),
          events: await this.events.write(tx, events, knownEvents, runErrors),
          puls: await this.puls.write(tx, puls, runErrors),
        };
        runErrors.throwIfAny();
        await then(tx, applied);
        return applied;
      }),
    );
  }

  /** Creates or changes one account, like a user in a document; `then` is called at the end of the transaction. */
  async account(
    slug: string,
    fields: SentUserFields,
    expected: Expected,
    then: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const errors = new DocumentErrors();
    const user = await this.users.readOne(slug, fields, expected, process.cwd(), errors);
    if (!user) return errors.throwIfAny();
    await this.avatars.withStored([user], errors, (avatarKeys) =>
      this.database.transaction(async (tx) => {
        const runErrors = errors.copy();
        await this.avatars.keep(tx, avatarKeys);
        await this.users.write(tx, [user], avatarKeys, runErrors);
        runErrors.throwIfAny();
        await then(tx);
      }),
    );
  }
}
