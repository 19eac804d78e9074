import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { ContentCommands } from '#areas/moderation/content.commands';
import { contentOf } from '#areas/moderation/contents';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import type { ContentKind } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import type { Person } from './people';
import type { TestServer } from './test-server';
import type { Action, Thing, World } from './world';

/** Actions of moderators and operators, including erasures. */
export const MODERATION_ACTIONS: Record<string, Action> = {
  'is removed by a moderator': (world, { pick }) => {
    const choiceOf = (kind: ContentKind, things: readonly Thing[]) => {
      const thing = pick(things);
      return thing ? [{ kind, id: thing.id }] : [];
    };
    const content = pick([
      ...choiceOf('event', world.events),
      ...choiceOf('group', world.groups),
      ...choiceOf('post', world.posts),
      ...choiceOf('comment', world.comments),
      ...choiceOf('photo', world.photos),
      ...choiceOf('series', world.series),
    ]);
    if (!content) return Promise.resolve();
    world.removed.push(content);
    return removeOrRestore(world.server, 'remove', content);
  },
  'is restored by a moderator': ({ server, removed }, { pick }) => {
    const content = pick(removed);
    return content ? removeOrRestore(server, 'restore', content) : Promise.resolve();
  },
  'is banned': async ({ server, banned }, { actor }) => {
    if (banned.size < 2) await setBanned(server, actor, true).then(() => banned.add(actor));
  },
  'is unbanned': async ({ server, banned }, { pick }) => {
    const person = pick([...banned]);
    if (person) await setBanned(server, person, false).then(() => banned.delete(person));
  },
  'is erased': async ({ server, erased, banned, events }, { actor, pick }) => {
    const person = pick([actor, pick(events)?.owner ?? actor]) ?? actor;
    if (erased.size >= 2 || erased.has(person)) return;
    await server.app.get(OwnDataCommands).erase(person.slug);
    erased.add(person);
    banned.delete(person);
  },
};

async function removeOrRestore(
  server: TestServer,
  action: 'remove' | 'restore',
  { kind, id }: World['removed'][number],
): Promise<unknown> {
  return server.database.transaction(async (tx) => {
    const content = await contentOf(tx, server.app.get(PublicIds), kind, id);
    return (
      content &&
      (action === 'remove'
        ? server.app.get(ContentCommands).removeWithoutAudit(tx, content, 'spam', null)
        : server.app.get(ContentCommands).restore(tx, content, { actorId: null, subject: id }))
    );
  });
}

async function setBanned(server: TestServer, { slug }: Person, banned: boolean): Promise<void> {
  await server.database.transaction(async (tx) => {
    await server.app
      .get(UsersCommands)
      .update(tx, (await server.app.get(UsersReader).lockBySlug(tx, slug))!, { banned });
  });
}

/**
 * Stores a ban that ends after the interval `remaining`, for example `1 day`. With `-1 second` the ban has already
 * ended. No moderation decision is recorded.
 */
export async function banFor(server: TestServer, { slug }: Pick<Person, 'slug'>, remaining: string): Promise<void> {
  await server.sql('UPDATE users SET banned = true, banned_until = now() + $2::interval WHERE slug = $1', [
    slug,
    remaining,
  ]);
}
