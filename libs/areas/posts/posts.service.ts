import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import type { Caller } from '../identity/caller.reader';
import { PostAccessPolicy } from './post-access.policy';
import type { CreatePostDto, UpdatePostDto } from './post.dto';
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

  async create(caller: Caller, input: Input<CreatePostDto>): Promise<PostResource> {
    const fields = input.read();
    return this.database.transaction(async (tx) => {
      const postId = await this.commands.add(tx, caller.id, fields);
      return this.reader.show(tx, caller, postId);
    });
  }

  /** A published post of anybody, or one's own draft; 404 otherwise. */
  async show(caller: Caller, slug: string): Promise<PostResource> {
    const { postId } = await this.access.visible(this.database, slug, caller.id);
    return this.reader.show(this.database, caller, postId);
  }

  async update(caller: Caller, slug: string, input: Input<UpdatePostDto>): Promise<PostResource> {
    return this.database.transaction(async (tx) => {
      const { postId } = await this.access.owned(tx, slug, caller.id);
      await this.commands.change(tx, postId, caller.id, input.read());
      return this.reader.show(tx, caller, postId);
    });
  }

  async remove(caller: Caller, slug: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { postId } = await this.access.owned(tx, slug, caller.id);
      await this.commands.remove(tx, postId);
    });
  }
}
