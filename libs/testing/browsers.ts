import type { Locale } from '#contract/vocabulary';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import type { Person } from './people';
import type { TestServer } from './test-server';
import { Visitor } from './visitor';

/** A browser without JavaScript in which the person is signed in. `locale`: the language of the account. */
export async function browserOf(server: TestServer, person: Person, locale: Locale = 'en'): Promise<Visitor> {
  const account = await withPassword(server, person, locale);
  const visitor = new Visitor(server);
  const { status } = await visitor.submit('/sign-in', account);
  if (status !== 303) throw new Error(`${person.slug} could not sign in: ${status}`);
  return visitor;
}

/** A signed-in browser for each of several people, in the order of the arguments. */
export function browsersOf<People extends readonly Person[]>(
  server: TestServer,
  ...people: People
): Promise<{ [Index in keyof People]: Visitor }> {
  return Promise.all(people.map((person) => browserOf(server, person))) as Promise<{
    [Index in keyof People]: Visitor;
  }>;
}

/** Gives the person an e-mail address, a password, and a language. Returns the address and the password. */
export async function withPassword(
  server: TestServer,
  { slug }: Person,
  locale: Locale = 'en',
): Promise<{ email: string; password: string }> {
  const account = { email: `${slug}@example.org`, password: 'correct horse' };
  await server.database.transaction(async (tx) => {
    const user = await server.app.get(UsersReader).lockBySlug(tx, slug);
    if (!user) throw new Error(`there is no account ${slug}`);
    await server.app.get(UsersCommands).update(tx, user, { ...account, locale });
  });
  return account;
}
