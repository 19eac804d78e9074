import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import type { Precondition } from '#platform/http/precondition';
import type { MediaKey } from '#platform/storage/media-key';
import type { Caller } from '../identity/caller.reader';
import { PostAccessPolicy } from './post-access.policy';
import type { CreatePostDto, UpdatePostDto } from './post.dto';
import type { Post } from './post.entity';
import type { PostResource } from './post.resource';
import { PostsCommands } from './posts.commands';
import { PostsReader } from './posts.reader';

/** Writing and showing posts (POST-1, POST-7). */
@Injectable()
export class PostsService {
  constructor(
    private readonly database: Database,
    private readonly access: PostAccessPolicy,
    private readonly commands: PostsCommands,
    private readonly reader: PostsReader,
  ) {}

  /** `cover` is a stored picture that a form has sent together with the fields. */
  async create(caller: Caller, input: Input<CreatePostDto>, cover?: MediaKey): Promise<PostResource> {
    const fields = input.read();
    return this.database.transaction(async (tx) => {
      const postId = await this.commands.add(tx, caller.id, fields);
      if (cover !== undefined) await this.commands.setCover(tx, postId, cover);
      return this.reader.show(tx, caller, postId);
    });
  }

  /** Returns a published post, or a draft of the caller. Throws 404 for any other slug. */
  async show(caller: Caller, slug: string): Promise<PostResource> {
    const { postId } = await this.access.visible(this.database, slug, caller.id);
    return this.reader.show(this.database, caller, postId);
  }

  /**
   * The precondition (`If-Match`) is checked twice: before the fields are validated, and again after the post is
   * locked. If the fields contain an event, this event is locked before the post.
   */
  async update(
    caller: Caller,
    slug: string,
    input: Input<UpdatePostDto>,
    precondition: Precondition,
    cover?: MediaKey,
  ): Promise<PostResource> {
    return this.database.transaction(async (tx) => {
      const { postId, version } = await this.access.owned(tx, slug, caller.id);
      const check = this.preconditionCheck(tx, caller, precondition);
      await check({ id: postId, version });
      await this.commands.change(tx, postId, caller.id, input.read(), check);
      if (cover !== undefined) await this.commands.setCover(tx, postId, cover);
      return this.reader.show(tx, caller, postId);
    });
  }

  async remove(caller: Caller, slug: string, precondition: Precondition): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { postId } = await this.access.owned(tx, slug, caller.id);
      await this.commands.remove(tx, postId, this.preconditionCheck(tx, caller, precondition));
    });
  }

  private preconditionCheck(
    tx: Transaction,
    caller: Caller,
    precondition: Precondition,
  ): (post: Pick<Post, 'id' | 'version'>) => Promise<void> {
    return ({ id, version }) => precondition.check(version, () => this.reader.show(tx, caller, id));
  }
}
