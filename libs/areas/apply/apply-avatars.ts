import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { OperatorError } from '#platform/config/operator-error';
import { MediaFiles } from '#platform/media/media-files';
import { Pictures, type Picture } from '#platform/media/pictures';
import { Scratch } from '#platform/media/scratch';
import type { DocumentErrors } from './document';

interface UserWithAvatar {
  /** The position of the user in the `apply` document, for error messages. */
  readonly where: string;
  readonly slug: string;
  /** The path of the new avatar; null removes the stored avatar, undefined does not change it. */
  readonly avatar?: string | null;
}

/** Maps the slug of each user with a new avatar to the key of the stored picture. */
export type AvatarKeys = ReadonlyMap<string, string>;

/** Reads and stores the avatars of a document. The document contains the paths of the picture files. */
@Injectable()
export class ApplyAvatars {
  constructor(
    private readonly pictures: Pictures,
    private readonly scratch: Scratch,
    private readonly media: MediaFiles,
  ) {}

  /**
   * Stores the pictures of the users, then runs `work`, and deletes the stored pictures if `work` fails. If a picture
   * cannot be used, it is not stored, the reason is added to `errors`, and `work` runs with the other pictures.
   */
  async withStored<T>(
    users: readonly UserWithAvatar[],
    errors: DocumentErrors,
    work: (keys: AvatarKeys) => Promise<T>,
  ): Promise<T> {
    return this.scratch.during(async (folder) => {
      const media: (Picture & { slug: string })[] = [];
      for (const { where, slug, avatar } of users) {
        const picture = avatar
          ? await errors.collectAsync(() => this.readPicture(where, slug, avatar, folder))
          : undefined;
        if (picture) media.push({ ...picture, slug });
      }
      return this.media.withStored(media, (stored) => work(new Map(stored.map(({ slug, key }) => [slug, key]))));
    });
  }

  /** Marks the pictures as used. The `work` of `withStored` must call this method in its transaction. */
  async keep(tx: Transaction, keys: AvatarKeys): Promise<void> {
    await this.media.keep(tx, [...keys.values()]);
  }

  private async readPicture(where: string, slug: string, avatar: string, folder: string): Promise<Picture> {
    const path = join(folder, slug);
    await copyFile(avatar, path).catch(() => {
      throw new OperatorError(`${where}.avatar: the picture cannot be read: ${avatar}`);
    });
    return this.pictures.make({ field: `${where}.avatar`, path });
  }
}
