import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { personResource } from '#areas/identity/person.resource';
import { UsersReader } from '#areas/identity/users.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { ATOM_TYPE, CALENDAR_TYPE, imageOf, Pages, type Social } from '../pages';
import { Hangings } from './hangings';
import { PublicPeople } from './public-people';

/** /people/{slug}: what the API shows of a person, and nothing else. */
@Injectable()
export class PersonPages {
  constructor(
    private readonly pages: Pages,
    private readonly users: UsersReader,
    private readonly published: PublicPeople,
    private readonly hangings: Hangings,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { slug: string } }>('/people/:slug', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        const user = await this.users.bySlug(request.params.slug);
        if (!user || (user.id !== reader.user?.id && !(await this.published.includes(user))))
          throw new Refusal('not_found');
        const person = personResource(user, this.wire);
        const social: Social = {
          title: person.name,
          type: 'profile',
          url: this.wire.page(`/people/${person.slug}`),
          description: person.nickname ?? person.name,
          image: imageOf(person.avatar_url),
        };
        const alternates = [
          { type: CALENDAR_TYPE, href: `${social.url}/calendar.ics`, title: person.name },
          { type: ATOM_TYPE, href: `${social.url}/posts.atom`, title: person.name },
        ] as const;
        const [events, posts] = await Promise.all([
          this.hangings.comingOf('organizer', user.id, reader),
          this.hangings.postsBy(user.id, reader),
        ]);
        return this.pages.show(reader, reply, 'profile-page', {
          title: person.name,
          wide: true,
          social,
          person,
          alternates,
          events,
          posts,
        });
      }),
    );
  }
}
