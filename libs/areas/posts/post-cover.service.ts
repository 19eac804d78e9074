import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import type { PendingUpload } from '#platform/uploads/uploads';
import type { Caller } from '../identity/caller.reader';
import { PostAccessPolicy } from './post-access.policy';
import type { PostResource } from './post.resource';
import { PostsCommands } from './posts.commands';
import { PostsReader } from './posts.reader';

/** The cover image of a post, which the author of the post sets and removes. */
@Injectable()
export class PostCoverService {
  constructor(
    private readonly database: Database,
    private readonly uploads: PictureUploads,
    private readonly access: PostAccessPolicy,
    private readonly commands: PostsCommands,
    private readonly reader: PostsReader,
  ) {}

  async replace(caller: Caller, slug: string, pending: PendingUpload): Promise<PostResource> {
    const { postId } = await this.access.owned(this.database, slug, caller.id);
    return this.uploads.receive(pending, ([cover]) =>
      this.database.transaction(async (tx) => {
        if (cover) await this.commands.setCover(tx, postId, cover.key);
        return this.reader.show(tx, caller, postId);
      }),
    );
  }

  /** Has no effect if the post has no cover. */
  async remove(caller: Caller, slug: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { postId } = await this.access.owned(tx, slug, caller.id);
      await this.commands.setCover(tx, postId, null);
    });
  }
}
