import { TokensCommands } from '#areas/identity/tokens.commands';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import type { TestServer } from '#testing/test-server';
import { eventWrites } from './events';
import { groupWrites } from './groups';
import { Maker, type Make, type Makes, type Write } from './maker';
import { participationWrites } from './participation';
import { accountWrites, bookWrites, textWrites } from './texts-and-books';

/**
 * A situation for each write operation of the API in which the operation succeeds, by operation id. A new operation
 * needs a new situation.
 */
export class Situations {
  private constructor(
    private readonly server: TestServer,
    readonly stranger: Person,
    private readonly table: Makes,
  ) {}

  static async on(server: TestServer): Promise<Situations> {
    const make = new Maker(server, await picture('png', { width: 40, height: 30 }));
    const table = {
      ...eventWrites(make),
      ...participationWrites(make),
      ...groupWrites(make),
      ...textWrites(make),
      ...bookWrites(make),
      ...accountWrites(make),
    };
    return new Situations(server, await server.person('stranger'), table);
  }

  knows(operation: string): boolean {
    return operation in this.table;
  }

  of(operation: string): Promise<Write> {
    return (this.table[operation] as Make)();
  }

  /** A read-only token of the same account. */
  async readerOf({ userId }: Person): Promise<string> {
    const { secret } = await this.server.database.transaction((tx) =>
      this.server.app.get(TokensCommands).create(tx, userId, { name: 'reader', access: 'read', expiresAt: null }),
    );
    return secret;
  }
}
