import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GroupAccessPolicy } from '#areas/groups/group-access.policy';
import { CreateGroupDto, UpdateGroupDto } from '#areas/groups/group.dto';
import { GroupPicturesService } from '#areas/groups/group-pictures.service';
import { GroupsService } from '#areas/groups/groups.service';
import { Database } from '#platform/database/database';
import { NO_PRECONDITION } from '#platform/http/precondition';
import { GroupIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { versionOf } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { FormKeys, newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { rawFields } from '../form/raw-fields';
import { SentForm } from '../form/sent-form';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { GROUP_FILES, GROUP_FORM } from './group-form';

/** The page /groups/new, and the page /groups/{id}/edit with the forms that remove a picture or delete the group. */
@ActingPageController()
export class GroupFormPages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly keys: FormKeys,
    private readonly groups: GroupsService,
    private readonly pictures: GroupPicturesService,
    private readonly access: GroupAccessPolicy,
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  @Get('groups/new')
  blank(@CurrentMember() member: Member): View {
    return this.showNew(member);
  }

  @Post('groups/new')
  @CheckForm({ plan: GROUP_FORM, files: GROUP_FILES })
  create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw, _, pictureOf) => {
        const form = await SentForm.ofSent(GROUP_FORM, CreateGroupDto, raw, member);
        const pictures = { avatar: pictureOf('avatar')?.key, cover: pictureOf('cover')?.key };
        const { id } = await this.groups.create(member.caller, form, pictures);
        return redirectTo(`/groups/${id}`, 'group_founded');
      },
      show: (refusal) => this.showNew(member, refusal),
    });
  }

  @Get('groups/:id/edit')
  edit(@CurrentMember() member: Member, @Param('id', GroupIdPipe) groupId: number): Promise<View> {
    return this.showEdit(member, groupId);
  }

  @Post('groups/:id/edit')
  @CheckForm({ plan: GROUP_FORM, files: GROUP_FILES })
  change(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw, _, pictureOf) => {
        const form = await SentForm.ofSent(GROUP_FORM, UpdateGroupDto, raw, member);
        const pictures = { avatar: pictureOf('avatar')?.key, cover: pictureOf('cover')?.key };
        const { id } = await this.groups.change(member.caller, groupId, form, form.precondition(), pictures);
        return redirectTo(`/groups/${id}`, 'group_saved');
      },
      show: (refusal) => this.showEdit(member, groupId, refusal),
    });
  }

  @Post('groups/:id/edit/delete')
  @CheckForm()
  remove(
    @CurrentMember() { caller }: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Req() request: FastifyRequest,
  ): Promise<Redirect> {
    return this.keys.once(request, caller.id, rawFields(request.body), async () => {
      await this.groups.remove(caller, groupId, NO_PRECONDITION);
      return redirectTo('/account/groups', 'group_deleted');
    });
  }

  @Post('groups/:id/edit/:picture/delete')
  @CheckForm()
  async removePicture(
    @CurrentMember() { caller }: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Param('picture') picture: string,
  ): Promise<Redirect> {
    if (picture !== 'avatar' && picture !== 'cover') throw new Refusal('not_found');
    await this.pictures.remove(caller, groupId, picture);
    return redirectTo(`/groups/${this.wire.id('group', groupId)}/edit`, 'picture_removed');
  }

  private showNew(member: Member, refusal: FormRefusal | null = null): View {
    const say = translator(member.locale);
    const content = {
      title: say('group_new'),
      section: 'groups',
      back: { to: '/account/groups', text: say('my_groups') },
      action: '/groups/new',
      submit: say('group_create'),
      formView: formView(GROUP_FORM, member, { key: newKey(), refusal }),
    } as const;
    return view('form-page', content, refusal?.status);
  }

  private async showEdit(member: Member, groupId: number, refusal: FormRefusal | null = null): Promise<View> {
    await this.access.owned(this.database, groupId, member.caller.id);
    const group = await this.groups.show(member.caller, groupId);
    const say = translator(member.locale);
    const page = `/groups/${group.id}`;
    const pictures = [
      group.avatar_url && { which: 'avatar', url: group.avatar_url, remove: say('group_avatar_remove') },
      group.cover_url && { which: 'cover', url: group.cover_url, remove: say('group_cover_remove') },
    ].filter((one) => one !== null && one !== '');
    const content = {
      ...partOf(group.name, say('group_edit')),
      section: 'groups',
      back: { to: page, text: group.name },
      action: `${page}/edit`,
      submit: say('save'),
      formView: formView(GROUP_FORM, member, { values: { ...group }, version: versionOf(group) ?? 0, refusal }),
      pictures: pictures.map(({ which, url, remove }) => ({ url, to: `${page}/edit/${which}/delete`, remove })),
      asks: [
        {
          to: `${page}/edit/delete`,
          fields: [newKey()],
          title: say('group_delete'),
          text: say('group_delete_text'),
          label: say('group_delete_do'),
        },
      ],
    } as const;
    return view('form-page', content, refusal?.status);
  }
}
