import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import type { PendingUpload } from '#platform/uploads/uploads';
import type { Caller } from '../identity/caller.reader';
import { GroupAccessPolicy } from './group-access.policy';
import { GroupPicturesCommands, type GroupPicture } from './pictures/group-pictures.commands';
import type { GroupResource } from './group.resource';
import { GroupsReader } from './groups.reader';

/** Lets owners set and remove the avatar and the cover of their group (GRP-18). */
@Injectable()
export class GroupPicturesService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly uploads: PictureUploads,
    private readonly pictures: GroupPicturesCommands,
    private readonly reader: GroupsReader,
  ) {}

  /** First checks that the caller owns the group; only then reads the picture from the request. */
  async put(caller: Caller, groupId: number, kind: GroupPicture, upload: PendingUpload): Promise<GroupResource> {
    await this.access.owned(this.database, groupId, caller.id);
    return this.uploads.receive(upload, ([picture]) =>
      this.database.transaction(async (tx) => {
        const group = await this.access.lockOwned(tx, groupId, caller.id);
        if (picture) await this.pictures.setPicture(tx, group, kind, picture.key);
        return this.reader.show(tx, caller, groupId);
      }),
    );
  }

  /** Has no effect if the group has no such picture. */
  async remove(caller: Caller, groupId: number, kind: GroupPicture): Promise<void> {
    await this.database.transaction(async (tx) => {
      const group = await this.access.lockOwned(tx, groupId, caller.id);
      await this.pictures.removePicture(tx, group, kind);
    });
  }
}
