import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GroupResource } from '#areas/groups/group.resource';
import { GroupsReader } from '#areas/groups/groups.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { ATOM_TYPE, CALENDAR_TYPE, imageOf, Pages, type Social } from '../pages';
import type { Reader } from '../readers';
import { ownForms } from '../session';
import { excerptOf } from './excerpt';
import { Hangings } from './hangings';
import { GroupInvitations } from './group-invitations';
import { SeenGroups } from './seen-groups';

type ByCode = { Params: { code: string } };

/** /groups/{id}, and the invite link's page. */
@Injectable()
export class GroupPages {
  constructor(
    private readonly pages: Pages,
    private readonly seen: SeenGroups,
    private readonly groups: GroupsReader,
    private readonly invitations: GroupInvitations,
    private readonly hangings: Hangings,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { id: string } }>('/groups/:id', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        return this.show(reader, reply, await this.seen.group(request.params.id, reader));
      }),
    );

    fastify.get<ByCode>('/groups/join/:code', async (request, reply) =>
      this.invitation(request.params.code, request, reply),
    );

    fastify.post<ByCode>('/groups/join/:code', ownForms(fastify), async (request, reply) => {
      const { code } = request.params;
      const { user } = await this.pages.reader(request);
      const page = `/groups/join/${encodeURIComponent(code)}`;
      if (!user) return this.pages.goTo(reply, `/sign-in?next=${encodeURIComponent(page)}`);
      await this.invitations.accept(code, user.id);
      return this.pages.goTo(reply, page);
    });
  }

  private async invitation(code: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    const group = await this.groups.byInviteCode(code, reader.user?.id ?? null);
    if (!group) throw new Refusal('not_found');
    return this.show(reader, reply, group, code);
  }

  /** `invite`: the code of the link that led here. Its page is not for search engines. */
  private async show(
    reader: Reader,
    reply: FastifyReply,
    group: GroupResource,
    invite: string | null = null,
  ): Promise<FastifyReply> {
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
    ] as const;
    return this.pages.show(reader, reply, 'group', {
      title: group.name,
      wide: true,
      group,
      invite,
      ...(await this.hung(group, invite, reader)),
      ...(group.is_public && !invite && { social, alternates }),
    });
  }

  /** Who only has the link to a private group is shown the group alone. */
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
