import { Get, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PostsReader } from '#areas/posts/posts.reader';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CachedFile } from '../cached-file';
import { FileController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import { PublicPeople } from '../public/public-people';
import { VisibleGroups } from '../groups/visible-groups';
import { Readers } from '../readers';
import { ATOM_TYPE } from '../view';
import { atomOf, type FeedDocument } from './atom';

const { entries } = LIMITS.feeds;

/** The feeds of posts (docs/rules/calendars.md). A feed is the same for every client. */
@FileController()
export class FeedPages {
  constructor(
    private readonly readers: Readers,
    private readonly posts: PostsReader,
    private readonly groups: VisibleGroups,
    private readonly people: PublicPeople,
    private readonly wire: WireFormat,
  ) {}

  @Get('people/:id/posts.atom')
  @ReadsReplica()
  async ofPerson(@Param('id') slug: string, @Req() request: FastifyRequest): Promise<CachedFile> {
    const person = await this.people.bySlug(slug);
    if (!person) throw new Refusal('not_found');
    const url = this.wire.page(`/people/${person.slug}`);
    return feed({
      title: person.name,
      url,
      self: `${url}/posts.atom`,
      since: person.createdAt.toISOString(),
      posts: await this.posts.publishedOf(this.readers.visitor(request).caller.id, person.id, entries),
    });
  }

  /** Reads the group as a visitor without an account sees it, because feed readers have no session. */
  @Get('groups/:id/posts.atom')
  @ReadsReplica()
  async ofGroup(@Param('id') hashid: string, @Req() request: FastifyRequest): Promise<CachedFile> {
    const visitor = this.readers.visitor(request);
    const {
      groupId,
      group: { name, url, created_at },
    } = await this.groups.group(hashid, visitor);
    const posts = await this.posts.publishedAboutGroup(visitor.caller.id, groupId, entries);
    return feed({ title: name, url, self: `${url}/posts.atom`, since: created_at, posts });
  }
}

function feed(document: FeedDocument): CachedFile {
  return new CachedFile(`${ATOM_TYPE}; charset=utf-8`, atomOf(document), 'public');
}
