import { Get, Param, Post } from '@nestjs/common';
import type { GroupResource } from '#areas/groups/group.resource';
import { GroupsReader } from '#areas/groups/groups.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CheckForm, CurrentMember, CurrentReader, PageController, SignedInOnly, type Member } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { oembedLink } from '../embed/frames';
import { ATOM_TYPE, CALENDAR_TYPE, imageOf, view, type Social, type View } from '../view';
import { excerptOf } from './excerpt';
import { Hangings } from './hangings';
import { GroupInvitations } from './group-invitations';
import { SeenGroups } from './seen-groups';

/** /groups/{id}, and the page of an invite link. */
@PageController()
export class GroupPages {
  constructor(
    private readonly seen: SeenGroups,
    private readonly groups: GroupsReader,
    private readonly invitations: GroupInvitations,
    private readonly hangings: Hangings,
    private readonly wire: WireFormat,
  ) {}

  @Get('groups/:id')
  @ReadsReplica()
  async group(@CurrentReader() reader: Reader, @Param('id') id: string): Promise<View> {
    return this.show(reader, await this.seen.group(id, reader));
  }

  @Get('groups/join/:code')
  async invitation(@CurrentReader() reader: Reader, @Param('code') code: string): Promise<View> {
    const group = await this.groups.byInviteCode(code, reader.user?.id ?? null);
    if (!group) throw new Refusal('not_found');
    return this.show(reader, group, code);
  }

  @Post('groups/join/:code')
  @SignedInOnly('/groups/join/:code')
  @CheckForm()
  async accept(@CurrentMember() { user }: Member, @Param('code') code: string): Promise<Redirect> {
    await this.invitations.accept(code, user.id);
    return redirectTo(`/groups/join/${encodeURIComponent(code)}`);
  }

  /** `invite`: the code of the invite link that led to the page. Its page is not for search engines. */
  private async show(reader: Reader, group: GroupResource, invite: string | null = null): Promise<View> {
    const social: Social = {
      title: group.name,
      type: 'website',
      url: group.url,
      description: excerptOf(group.description ?? group.name),
      image: imageOf(group.cover_url ?? group.avatar_url),
    };
    const alternates = [
      { type: CALENDAR_TYPE, href: `${group.url}/calendar.ics`, title: group.name },
      { type: ATOM_TYPE, href: `${group.url}/posts.atom`, title: group.name },
      oembedLink(group.url, group.name, this.wire),
    ] as const;
    return view('group', {
      title: group.name,
      wide: true,
      group,
      invite,
      ...(await this.hung(group, invite, reader)),
      ...(group.is_public && !invite && { social, alternates }),
    });
  }

  /** A reader with only the link to a private group sees neither its events nor its posts. */
  private async hung(group: GroupResource, invite: string | null, reader: Reader): Promise<object> {
    const id = this.wire.ids.decode('group', group.id);
    if (id === null || (invite !== null && !group.is_public)) return {};
    const [events, posts] = await Promise.all([
      this.hangings.comingOf('group', id, reader),
      this.hangings.postsAboutGroup(id, reader),
    ]);
    return { events, posts };
  }
}
