import type { INestApplicationContext } from '@nestjs/common';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { DEMO_USER } from '../demo/demo-people';

const FAR_FUTURE = new Date('9999-01-01T00:00:00Z');

/** The slug of each role's account. `openAccounts` creates the account of `free`; the demo data contains the others. */
const PEOPLE = {
  organizer: DEMO_USER,
  participant: 'petr-svoboda',
  moderator: 'jiri-horak',
  free: 'karel-bez-premia',
} as const;

export type SandboxRole = keyof typeof PEOPLE;

export interface SandboxPeople {
  readonly tokens: Readonly<Record<SandboxRole, string>>;
  readonly people: typeof PEOPLE;
}

/**
 * Creates the account of `free` without Premium, gives Premium to the other accounts, makes the account of `moderator`
 * a moderator, and creates a token for each role.
 */
export async function openAccounts(app: INestApplicationContext): Promise<SandboxPeople> {
  const [users, commands] = [app.get(UsersReader), app.get(UsersCommands)];
  const tokens = await app.get(Database).transaction(async (tx) => {
    await commands.create(tx, PEOPLE.free, { name: 'Karel Novotný', email: `${PEOPLE.free}@example.org` });
    const tokensByRole: [string, string][] = [];
    for (const [role, slug] of Object.entries(PEOPLE)) {
      const user = await users.lockBySlug(tx, slug);
      if (!user) throw new Error(`the demo data contains no account with the slug ${slug}`);
      if (role !== 'free')
        await commands.update(tx, user, { premium_until: FAR_FUTURE, moderator: role === 'moderator' });
      const tokenInput = { name: 'sandbox', access: 'write', expiresAt: null } as const;
      tokensByRole.push([role, (await app.get(TokensCommands).create(tx, user.id, tokenInput)).secret]);
    }
    return Object.fromEntries(tokensByRole) as Record<SandboxRole, string>;
  });
  return { tokens, people: PEOPLE };
}

/** The current time of the service, in the format of the API. */
export function wireNow(clock: Clock): string {
  return `${clock.now().toISOString().slice(0, 19)}Z`;
}
