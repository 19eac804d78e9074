import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { personResource } from '#areas/identity/person.resource';
import { UsersReader } from '#areas/identity/users.reader';
import { Database, statement } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Wire } from '#platform/http/wire';
import { Pages, type Social } from '../pages';

/** Whether everybody can find the user's name already: by a search, or under something public. */
const IS_PUBLIC = statement(
  'web_person_is_public',
  `SELECT 1 AS public FROM users u
    WHERE u.id = $1 AND NOT u.banned AND (u.searchable
      OR EXISTS (SELECT 1 FROM events e WHERE e.organizer_id = u.id AND e.is_public)
      OR EXISTS (SELECT 1 FROM groups g WHERE g.owner_id = u.id AND g.is_public)
      OR EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id AND p.status = 'published'))`,
);

/** /people/{slug}: what the API shows of a person, and nothing else. */
@Injectable()
export class PersonPages {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly users: UsersReader,
    private readonly wire: Wire,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { slug: string } }>('/people/:slug', async (request, reply) => {
      const reader = await this.pages.reader(request);
      const user = await this.users.bySlug(request.params.slug);
      if (!user || (user.id !== reader.user?.id && !(await this.isPublic(user.id)))) throw new Refusal('not_found');
      const person = personResource(user, this.wire);
      const social: Social = {
        title: person.name, type: 'profile', url: this.wire.page(`/people/${person.slug}`), description: person.nickname ?? person.name, image: person.avatar_url,
      };
      return this.pages.show(reader, reply, 'profile-page', { title: person.name, social, person });
    });
  }

  private async isPublic(userId: number): Promise<boolean> {
    return (await this.database.rows(IS_PUBLIC, [userId])).length > 0;
  }
}
