import { TokensCommands } from '#areas/identity/tokens.commands';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import type { TestServer } from '#testing/test-server';
import { eventWrites } from './events';
import { groupWrites } from './groups';
import { SituationBuilder, type SituationFactory, type SituationFactories, type Write } from './situation-builder';
import { participationWrites } from './participation';
import { accountWrites, messageAndExpenseWrites, textWrites } from './content-and-accounts';

/**
 * Creates situations in which the write operations of the API succeed, one for each operation id. A new write operation
 * needs an entry in one of the functions that return `SituationFactories`.
 */
export class Situations {
  private constructor(
    private readonly server: TestServer,
    readonly stranger: Person,
    private readonly table: SituationFactories,
  ) {}

  static async create(server: TestServer): Promise<Situations> {
    const make = new SituationBuilder(server, await picture('png', { width: 40, height: 30 }));
    const table = {
      ...eventWrites(make),
      ...participationWrites(make),
      ...groupWrites(make),
      ...textWrites(make),
      ...messageAndExpenseWrites(make),
      ...accountWrites(make),
    };
    return new Situations(server, await server.person('stranger'), table);
  }

  knows(operation: string): boolean {
    return operation in this.table;
  }

  /** Creates the situation for an operation, and returns the request for this operation. */
  prepare(operation: string): Promise<Write> {
    return (this.table[operation] as SituationFactory)();
  }

  /** Creates a read-only token for the account of the person. */
  async readOnlyTokenOf({ userId }: Person): Promise<string> {
    const { secret } = await this.server.database.transaction((tx) =>
      this.server.app.get(TokensCommands).create(tx, userId, { name: 'reader', access: 'read', expiresAt: null }),
    );
    return secret;
  }
}
