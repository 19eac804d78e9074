import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Mistake } from '#platform/config/mistake';
import { Database } from '#platform/database/database';
import { MediaFiles } from '#platform/media/media-files';
import { Pictures, type Picture } from '#platform/media/pictures';
import { Scratch } from '#platform/media/scratch';
import { ApplyEvents, type MadeEvent } from './apply-events';
import { ApplyUsers, type AppliedUser, type MadeUser } from './apply-users';
import { listOf, objectOf } from './document';

export interface Applied {
  users: MadeUser[];
  events: MadeEvent[];
}

/** `cli apply`: one document, one transaction, idempotent by the slugs of its users (README, "The operator's command line"). */
@Injectable()
export class ApplyCommands {
  constructor(
    private readonly database: Database,
    private readonly users: ApplyUsers,
    private readonly events: ApplyEvents,
    private readonly pictures: Pictures,
    private readonly scratch: Scratch,
    private readonly media: MediaFiles,
  ) {}

  /** The whole document is checked before anything is written. `folder`: what paths of pictures are relative to. */
  async apply(document: unknown, folder = process.cwd()): Promise<Applied> {
    const sections = objectOf(document, ['users', 'events'], 'The document');
    const users = listOf(sections.users, 'users').map((one, i) => this.users.read(one, `users.${i}`, folder));
    const events = listOf(sections.events, 'events').map((one, i) => this.events.read(one, `events.${i}`));
    return this.withAvatars(users, (avatarKeys) =>
      this.database.transaction(async (tx) => {
        await this.media.keep(tx, [...avatarKeys.values()]);
        return { users: await this.users.write(tx, users, avatarKeys), events: await this.events.write(tx, events) };
      }),
    );
  }

  /** Stores the users' pictures first, and removes them again when the document cannot be written. */
  private async withAvatars<T>(users: readonly AppliedUser[], work: (keyOf: ReadonlyMap<string, string>) => Promise<T>): Promise<T> {
    const withPicture = users.flatMap(({ slug, avatar }) => (avatar === null ? [] : [{ slug, avatar }]));
    return this.scratch.during(async (folder) => {
      const media: (Picture & { slug: string })[] = [];
      for (const { slug, avatar } of withPicture) media.push({ ...(await this.picture(slug, avatar, folder)), slug });
      return this.media.withStored(media, (stored) => work(new Map(stored.map(({ slug, key }) => [slug, key]))));
    });
  }

  private async picture(slug: string, avatar: string, folder: string): Promise<Picture> {
    const path = join(folder, slug);
    await copyFile(avatar, path).catch(() => {
      throw new Mistake(`The picture of ${slug} cannot be read: ${avatar}`);
    });
    return this.pictures.make({ field: `avatar of ${slug}`, path });
  }
}
