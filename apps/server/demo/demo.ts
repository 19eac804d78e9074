import { createHmac } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplyCommands, type Applied } from '#areas/apply/apply.commands';
import { EventImagesCommands } from '#areas/events/event-images.commands';
import { Event } from '#areas/events/event.entity';
import { CreateGroupDto } from '#areas/groups/group.dto';
import { GroupsCommands } from '#areas/groups/groups.commands';
import { MembershipsCommands } from '#areas/groups/memberships.commands';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { isPassword } from '#areas/identity/passwords';
import { UsersReader } from '#areas/identity/users.reader';
import { CreatePostDto } from '#areas/posts/post.dto';
import { PostsCommands } from '#areas/posts/posts.commands';
import { Settings } from '#platform/config/settings';
import { Database, type Transaction } from '#platform/database/database';
import { readInput } from '#platform/http/input';
import { MediaFiles } from '#platform/media/media-files';
import { Pictures, type Picture } from '#platform/media/pictures';
import { Scratch } from '#platform/media/scratch';
import { Clock } from '#platform/time/clock';
import type { SignIn } from '../banner';
import { DEMO_GROUPS, DEMO_POSTS, demoDocument, type DemoDocument } from './demo-document';
import { DEMO_SLUGS, DEMO_USER } from './demo-people';
import {
  drawGallery,
  EVENT_THREADS,
  idIn,
  loadExpenses,
  loadGallery,
  loadItinerary,
  loadSeries,
  loadThreads,
  POST_THREADS,
  type DemoPeople,
} from './demo-content';
import { drawAvatar, drawLandscape } from './demo-pictures';

/**
 * Fills an empty database with people and content: many events, a series, groups, posts, comments, Puls, a gallery,
 * shared expenses and an itinerary. A database with accounts stays unchanged. All content is written in one
 * transaction, so that the next start loads the demo if this start is killed.
 */
export async function loadDemo(app: INestApplicationContext): Promise<void> {
  if (await app.get(UsersReader).hasAny()) return;
  const media = app.get(MediaFiles);
  const document = demoDocument(app.get(Clock).now(), demoPassword(app));
  await app.get(Scratch).during(async (folder) => {
    for (const { slug } of document.users as { slug: string }[]) await drawAvatar(folder, slug);
    await media.withStored(await drawCovers(app, folder, document), async (covers) =>
      media.withStored(await drawGallery(app, folder), (photos) =>
        app.get(ApplyCommands).apply(document, folder, async (tx, applied) => {
          for (const { event, ...cover } of covers)
            await app
              .get(EventImagesCommands)
              .add(tx, await tx.manager.findOneByOrFail(Event, { id: eventOf(applied, event) }), [cover]);
          const people = new Map<string, number>();
          for (const slug of DEMO_SLUGS) people.set(slug, await idOf(app, tx, slug));
          await app.get(TokensCommands).createFromKey(tx, idIn(people, DEMO_USER), 'demo', demoKey(app));
          await loadGroups(app, tx, people);
          const [firstPost] = await loadPosts(app, tx, people);
          await loadThreads(app, tx, people, { kind: 'event', id: eventOf(applied, 'piknik') }, EVENT_THREADS);
          if (firstPost !== undefined)
            await loadThreads(app, tx, people, { kind: 'post', id: firstPost }, POST_THREADS);
          await loadSeries(app, tx, people);
          await loadExpenses(app, tx, people, eventOf(applied, 'minule'));
          await loadGallery(app, tx, people, eventOf(applied, 'minule'), photos);
          await loadItinerary(app, tx, eventOf(applied, 'rip'));
        }),
      ),
    );
  });
}

/** The demo user's token, the same at every start; null if it was revoked or there is no demo. */
export async function demoToken(app: INestApplicationContext): Promise<string | null> {
  return app.get(Database).transaction((tx) => app.get(TokensCommands).secretFromKey(tx, demoKey(app)));
}

/**
 * The demo user's e-mail address and password. Null if there is no demo user, if its e-mail address was removed, or if
 * its password was changed.
 */
export async function demoSignIn(app: INestApplicationContext): Promise<SignIn | null> {
  const password = demoPassword(app);
  const user = await app.get(Database).transaction((tx) => app.get(UsersReader).lockBySlug(tx, DEMO_USER));
  if (!user?.email || !(await isPassword(password, user.passwordHash))) return null;
  return { email: user.email, password };
}

/** Draws a picture for each event, except for the many events of demo-calendar.ts, because drawing is slow. */
async function drawCovers(
  app: INestApplicationContext,
  folder: string,
  { events }: DemoDocument,
): Promise<(Picture & { readonly event: string })[]> {
  const covers: (Picture & { readonly event: string })[] = [];
  for (const { key } of (events as { key: string }[]).filter(({ key }) => !key.startsWith('kalendar'))) {
    const path = await drawLandscape(folder, key);
    covers.push({ ...(await app.get(Pictures).make({ path, field: key })), event: key });
  }
  return covers;
}

async function loadGroups(app: INestApplicationContext, tx: Transaction, people: DemoPeople): Promise<void> {
  for (const { founder, members, fields } of DEMO_GROUPS) {
    const groupId = await app
      .get(GroupsCommands)
      .create(tx, idIn(people, founder), await readInput(CreateGroupDto, fields, 'json'));
    for (const member of members) {
      const userId = idIn(people, member);
      for (const step of ['invite', 'join'] as const)
        await app.get(MembershipsCommands).move(tx, groupId, userId, step);
    }
  }
}

/** Returns the posts' ids. */
async function loadPosts(app: INestApplicationContext, tx: Transaction, people: DemoPeople): Promise<number[]> {
  const ids: number[] = [];
  for (const { author, fields } of DEMO_POSTS) {
    ids.push(
      await app.get(PostsCommands).add(tx, idIn(people, author), await readInput(CreatePostDto, fields, 'json')),
    );
  }
  return ids;
}

function eventOf({ events }: Applied, key: string): number {
  const event = events.find((one) => one.key === key);
  if (!event) throw new Error(`the demo has no event with the key ${key}`);
  return event.numeric_id;
}

async function idOf(app: INestApplicationContext, tx: Transaction, slug: string): Promise<number> {
  const id = await app.get(UsersReader).idOf(tx, slug);
  if (id === null) throw new Error(`the demo has no person with the slug ${slug}`);
  return id;
}

function demoPassword(app: INestApplicationContext): string {
  return createHmac('sha256', app.get(Settings).appSecret).update('demo password').digest('base64url').slice(0, 12);
}

/**
 * The key from which the demo token is made. The database has only the token's hash. The key is derived from the
 * installation's secret, so that every start can print the token.
 */
function demoKey(app: INestApplicationContext): Buffer {
  return createHmac('sha512', app.get(Settings).appSecret).update('demo token').digest();
}
