import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PostsReader } from '#areas/posts/posts.reader';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { answerFile } from '../answer-file';
import { ATOM_TYPE, Pages } from '../pages';
import { PublicPeople } from '../public/public-people';
import { SeenGroups } from '../public/seen-groups';
import { atomOf, type FeedDocument } from './atom';

const { entries } = LIMITS.feeds;

/** The feeds of posts (CAL): the same for everybody, by their address alone. */
@Injectable()
export class FeedPages {
  constructor(
    private readonly pages: Pages,
    private readonly posts: PostsReader,
    private readonly groups: SeenGroups,
    private readonly people: PublicPeople,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    this.serveFeed(fastify, '/people/:id/posts.atom', (slug) => this.ofPerson(slug));
    this.serveFeed(fastify, '/groups/:id/posts.atom', (id, request) => this.ofGroup(id, request));
  }

  private serveFeed(
    fastify: FastifyInstance,
    path: string,
    feed: (id: string, request: FastifyRequest) => Promise<FeedDocument>,
  ): void {
    fastify.get<{ Params: { id: string } }>(path, async (request, reply): Promise<FastifyReply> => {
      const document = await this.pages.readingOpenly(() => feed(request.params.id, request));
      return answerFile(request, reply, {
        type: `${ATOM_TYPE}; charset=utf-8`,
        content: atomOf(document),
        audience: 'public',
      });
    });
  }

  private async ofPerson(slug: string): Promise<FeedDocument> {
    const person = await this.people.bySlug(slug);
    if (!person) throw new Refusal('not_found');
    const url = this.wire.page(`/people/${person.slug}`);
    return {
      title: person.name,
      url,
      self: `${url}/posts.atom`,
      since: person.createdAt.toISOString(),
      posts: await this.posts.publishedOf(person.id, entries),
    };
  }

  /** As a stranger sees it, whoever asks: programs have no session. */
  private async ofGroup(hashid: string, request: FastifyRequest): Promise<FeedDocument> {
    const { id, name, url, created_at } = await this.groups.group(hashid, this.pages.stranger(request));
    const posts = await this.posts.publishedAboutGroup(this.wire.ids.decode('group', id) ?? 0, entries);
    return { title: name, url, self: `${url}/posts.atom`, since: created_at, posts };
  }
}
