import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { MediaFiles } from '#platform/media/media-files';
import type { MediaKey } from '#platform/storage/media-key';
import { Clock } from '#platform/time/clock';
import { Group } from '../group.entity';

/** The property of `Group` that contains the key of the picture. */
const PROPERTY_OF = { avatar: 'avatarKey', cover: 'coverKey' } as const satisfies Record<string, keyof Group>;
export type GroupPicture = keyof typeof PROPERTY_OF;

/** The pictures of groups. The files of a replaced or removed picture are deleted after the commit. */
@Injectable()
export class GroupPicturesCommands {
  constructor(
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /** Sets or replaces a picture. The calling code has locked `group`. `key` is the key of the new, stored picture. */
  async setPicture(tx: Transaction, group: Group, kind: GroupPicture, key: MediaKey): Promise<void> {
    await this.media.keep(tx, [key]);
    await this.replace(tx, group, kind, key);
  }

  /** Removes a picture, if the group has one. The calling code has locked `group`. */
  async removePicture(tx: Transaction, group: Group, kind: GroupPicture): Promise<void> {
    if (group[PROPERTY_OF[kind]] !== null) await this.replace(tx, group, kind, null);
  }

  private async replace(tx: Transaction, group: Group, kind: GroupPicture, key: MediaKey | null): Promise<void> {
    const before = group[PROPERTY_OF[kind]];
    group[PROPERTY_OF[kind]] = key;
    group.updatedAt = this.clock.now();
    await tx.manager.save(Group, group);
    if (before !== null) await this.media.markForDeletion(tx, [before]);
  }
}
