import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { ApplyAvatars } from './apply-avatars';
import { ApplyEvents, type AppliedEvent, type MadeEvent } from './apply-events';
import { ApplyPuls, type AppliedPuls, type MadePuls } from './apply-puls';
import { ApplyUsers, type Expected, type MadeUser, type UserFields } from './apply-users';
import { DocumentMistakes, listOf, objectOf } from './document';

export interface Applied {
  users: MadeUser[];
  events: MadeEvent[];
  puls: MadePuls[];
}

/** `cli apply`: one document, one transaction; users are found again by slug, events by organizer and key (README, "The operator's command line"). */
@Injectable()
export class ApplyCommands {
  constructor(
    private readonly database: Database,
    private readonly users: ApplyUsers,
    private readonly events: ApplyEvents,
    private readonly puls: ApplyPuls,
    private readonly avatars: ApplyAvatars,
  ) {}

  /** All mistakes of the document are reported at once, and any of them undoes everything. `folder`: what paths of pictures are relative to; `then` is done in the same transaction. */
  async apply(
    document: unknown,
    folder = process.cwd(),
    then: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<Applied> {
    const mistakes = new DocumentMistakes();
    const sections = objectOf(document, ['users', 'events', 'puls'], 'The document');
    const partsOf = (section: 'users' | 'events' | 'puls') =>
      mistakes.collect(() => listOf(sections[section], section)) ?? [];
    const users = await this.users.readAll(partsOf('users'), folder, mistakes);
    const events: AppliedEvent[] = [];
    for (const [i, one] of partsOf('events').entries()) {
      const event = await this.events.read(one, `events.${i}`, mistakes);
      if (event) events.push(event);
    }
    this.events.eachKeyOnce(events, mistakes);
    const puls: AppliedPuls[] = [];
    for (const [i, one] of partsOf('puls').entries()) {
      const post = await mistakes.collectAsync(() => this.puls.read(one, `puls.${i}`));
      if (post) puls.push(post);
    }
    return this.avatars.withStored(users, mistakes, (keys) =>
      this.database.transaction(async (tx) => {
        const found = mistakes.copy();
        const known = await this.events.lockKnown(tx, events);
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

  /** One account, as the document's users are made or changed; `then` is done in the same transaction. */
  async account(
    slug: string,
    fields: UserFields,
    expected: Expected,
    then: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const mistakes = new DocumentMistakes();
    const user = await this.users.readOne(slug, fields, expected, process.cwd(), mistakes);
    if (!user) return mistakes.throwIfAny();
    await this.avatars.withStored([user], mistakes, (keys) =>
      this.database.transaction(async (tx) => {
        const found = mistakes.copy();
        await this.avatars.keep(tx, keys);
        await this.users.write(tx, [user], keys, found);
        found.throwIfAny();
        await then(tx);
      }),
    );
  }
}
