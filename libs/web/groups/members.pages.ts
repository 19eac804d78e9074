import { Get, Param, Post, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GroupsReader } from '#areas/groups/groups.reader';
import { GroupsService } from '#areas/groups/groups.service';
import { InviteMemberDto } from '#areas/groups/member.dto';
import { MembershipService } from '#areas/groups/membership.service';
import { UsersReader } from '#areas/identity/users.reader';
import { Database } from '#platform/database/database';
import { GroupIdPipe } from '#platform/http/public-ids';
import { SlugPipe } from '#platform/http/slug.pipe';
import { WireFormat } from '#platform/http/wire-format';
import { qrPng, qrSvg } from '#platform/text/qr-code';
import { FormRunner } from '../form/form-runner';
import { SentForm } from '../form/sent-form';
import { formValues, type FormValues } from '../forms';
import { nameBySlug } from '../gone-name';
import { ActingPageController, CheckForm, CurrentMember, FormFields, type Member } from '../page.decorators';
import { INVITE } from '../people-search';
import { redirectTo, type Redirect } from '../redirect';
import { translator, type TextKey } from '../texts';
import { partOf, view, type View } from '../view';
import { MembersView } from './members-view';

/** For each former role: the message after the owner has removed a person, declined a request or cancelled an invitation. */
const MESSAGE_AFTER_REMOVING: Readonly<Record<string, TextKey>> = {
  member: 'member_removed',
  requested: 'people_was_declined',
  invited: 'member_uninvited',
};

/**
 * /groups/{id}/members: the members, and forms to approve, remove and invite people. /groups/{id}/members/invite-link:
 * the invite link with its QR code.
 */
@ActingPageController()
export class MembersPages {
  constructor(
    private readonly view: MembersView,
    private readonly formRunner: FormRunner,
    private readonly membership: MembershipService,
    private readonly users: UsersReader,
    private readonly groups: GroupsService,
    private readonly reader: GroupsReader,
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  @Get('groups/:id/members')
  list(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Query() query: object,
    @Req() { url }: FastifyRequest,
  ): Promise<View> {
    return this.view.show(groupId, member, { url, query: formValues(query) });
  }

  @Post('groups/:id/members/:slug/approve')
  @CheckForm()
  approve(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Param('slug', SlugPipe) slug: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.submit(member, groupId, slug, request, 'member_approved', () =>
      this.membership.approve(member.caller, groupId, slug),
    );
  }

  @Post('groups/:id/members/:slug/remove')
  @CheckForm()
  remove(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Param('slug', SlugPipe) slug: string,
    @FormFields() { role }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const message = MESSAGE_AFTER_REMOVING[role ?? ''] ?? 'member_removed';
    return this.submit(member, groupId, slug, request, message, () =>
      this.membership.remove(member.caller, groupId, slug, role),
    );
  }

  @Post('groups/:id/members/invite')
  @CheckForm({ plan: INVITE })
  invite(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const url = this.pathOf(groupId);
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(INVITE, InviteMemberDto, raw, member);
        const { user } = await this.membership.invite(member.caller, groupId, form);
        return redirectTo(url, 'people_was_invited', { name: user.name });
      },
      show: (refusal) => this.view.show(groupId, member, { url, query: {}, refusedInvitation: refusal }),
    });
  }

  @Get('groups/:id/members/invite-link')
  async link(@CurrentMember() member: Member, @Param('id', GroupIdPipe) groupId: number): Promise<View> {
    const { url } = await this.groups.inviteLink(member.caller, groupId);
    const { id, name } = await this.reader.show(this.database, member.caller, groupId);
    return view('group-invite-link', {
      ...partOf(name, translator(member.locale)('invite_link')),
      section: 'groups',
      group: { id, name },
      link: url,
      code: await qrSvg(url),
    });
  }

  @Post('groups/:id/members/invite-link')
  @CheckForm()
  async redirectToLink(
    @CurrentMember() { caller }: Member,
    @Param('id', GroupIdPipe) groupId: number,
  ): Promise<Redirect> {
    await this.groups.inviteLink(caller, groupId);
    return redirectTo(`${this.pathOf(groupId)}/invite-link`, 'invite_link_ready');
  }

  /** The QR code of the invite link as a picture, for printing or sending. */
  @Get('groups/:id/members/invite-link.png')
  async picture(
    @CurrentMember() { caller }: Member,
    @Param('id', GroupIdPipe) groupId: number,
  ): Promise<StreamableFile> {
    const { url } = await this.groups.inviteLink(caller, groupId);
    return new StreamableFile(await qrPng(url), { type: 'image/png' });
  }

  private submit(
    member: Member,
    groupId: number,
    slug: string,
    request: FastifyRequest,
    message: TextKey,
    change: () => Promise<unknown>,
  ): Promise<View | Redirect> {
    const url = this.pathOf(groupId);
    return this.formRunner.run(member, request, {
      action: async () => {
        const name = await nameBySlug(this.users, slug, member.locale);
        await change();
        return redirectTo(url, message, { name });
      },
      show: (refusal) => {
        const text = refusal.code === 'conflict' ? translator(member.locale)('people_outdated') : refusal.text;
        return this.view.show(groupId, member, { url, query: {}, refusal: { ...refusal, text } });
      },
    });
  }

  private pathOf(groupId: number): string {
    return `/groups/${this.wire.id('group', groupId)}/members`;
  }
}
