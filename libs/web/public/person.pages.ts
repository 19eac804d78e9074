import { Get, Param } from '@nestjs/common';
import { personResource } from '#areas/identity/person.resource';
import { UsersReader } from '#areas/identity/users.reader';
import { PeopleReader } from '#areas/people/people.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentReader, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import { oembedLink } from '../embed/frames';
import { ATOM_TYPE, CALENDAR_TYPE, imageOf, view, type Social, type View } from '../view';
import { RelatedContent } from './related-content';

/** /people/{slug}: a person's page. The page shows only data that the API also shows. */
@PageController()
export class PersonPages {
  constructor(
    private readonly users: UsersReader,
    private readonly people: PeopleReader,
    private readonly related: RelatedContent,
    private readonly wire: WireFormat,
  ) {}

  @Get('people/:slug')
  @ReadsReplica()
  async person(@CurrentReader() reader: Reader, @Param('slug') slug: string): Promise<View> {
    const user = await this.users.bySlug(slug);
    if (!user) throw new Refusal('not_found');
    const isPublic = await this.people.isPublic(user);
    if (!isPublic && !reader.user) throw new Refusal('not_found');
    // Throws 404 for readers who may not see the person in the API (PEO-7).
    const viewer = reader.user ? (await this.people.profile(reader.caller, slug)).viewer : null;
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
      ...(isPublic ? [oembedLink(social.url, person.name, this.wire)] : []),
    ] as const;
    const [events, posts] = await Promise.all([
      this.related.comingOf('organizer', user.id, reader),
      this.related.postsBy(user.id, reader),
    ]);
    return view('profile-page', {
      title: person.name,
      wide: true,
      person,
      viewer,
      events,
      posts,
      ...(isPublic && { social, alternates }),
    });
  }
}
