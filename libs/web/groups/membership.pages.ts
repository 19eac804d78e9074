import { Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InterestService } from '#areas/group-events/interest.service';
import { MembershipService } from '#areas/groups/membership.service';
import { Refusal } from '#platform/http/refusal';
import { GroupIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { FormKeys, keyFieldIn } from '../form/form-keys';
import { rawFields } from '../form/raw-fields';
import type { FormValues } from '../forms';
import {
  ActingPageController,
  CheckForm,
  CurrentMember,
  FormFields,
  SignedInOnly,
  type Member,
} from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { refusedBy } from '../refusals';
import { translator, type TextKey } from '../texts';
import type { View } from '../view';
import { GroupView } from './group-view';
import { VisibleGroups } from './visible-groups';

/** For each former role: the message after a person has left a group, withdrawn a request or declined an invitation. */
const MESSAGE_AFTER_LEAVING: Readonly<Record<string, TextKey>> = {
  member: 'group_left',
  requested: 'left_requested',
  invited: 'left_pending',
};

/**
 * The forms of a group's page. `join` accepts an invitation, or requests to join a public group. `leave` leaves the
 * group, declines an invitation, or withdraws a request. `interest` adds an event to the events in which the group is
 * interested (GRP-21), or removes it.
 */
@ActingPageController()
@SignedInOnly('/groups/:id')
export class MembershipPages {
  constructor(
    private readonly view: GroupView,
    private readonly visibleGroups: VisibleGroups,
    private readonly membership: MembershipService,
    private readonly interests: InterestService,
    private readonly keys: FormKeys,
    private readonly wire: WireFormat,
  ) {}

  @Post('groups/:id/join')
  @CheckForm()
  join(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    return this.submit(member, groupId, request, reply, async (page) => {
      const { viewer } = await this.membership.join(member.caller, groupId);
      return redirectTo(page, viewer.role === 'member' ? 'group_joined' : 'group_asked');
    });
  }

  /**
   * After leaving a public group, the redirect leads to the page of the group. The person no longer sees a private
   * group, so the redirect then leads to `/account/groups`.
   */
  @Post('groups/:id/leave')
  @CheckForm()
  leave(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    return this.submit(member, groupId, request, reply, async (page) => {
      const left = await this.membership.leave(member.caller, groupId);
      const group = await this.visibleGroups.groupOrNull(this.wire.id('group', groupId), member);
      return redirectTo(group ? page : '/account/groups', MESSAGE_AFTER_LEAVING[left ?? '']);
    });
  }

  /** Adds an event to the group's interests, or removes it if the form was sent by the button `remove`. */
  @Post('groups/:id/interest')
  @CheckForm()
  interest(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @FormFields() { event_id: event, remove }: FormValues,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    const act = async (page: string): Promise<Redirect> => {
      // The field contains the address or the id of an event. For any other text, the id 0 is used, which no event has.
      // `InterestService` then checks the rights on the group first, and answers 404 afterwards.
      const eventId = this.wire.ids.decodeEvent(idIn(event ?? '')) ?? 0;
      if (remove !== undefined) {
        await this.interests.remove(member.caller, groupId, eventId);
        return redirectTo(page, 'interest_removed');
      }
      await this.interests.add(member.caller, groupId, eventId);
      return redirectTo(page, 'interest_added');
    };
    return this.submit(member, groupId, request, reply, act, remove === undefined ? (event ?? '') : undefined);
  }

  private async submit(
    member: Member,
    groupId: number,
    request: FastifyRequest,
    reply: FastifyReply,
    change: (page: string) => Promise<Redirect>,
    typed?: string,
  ): Promise<View | Redirect> {
    const id = this.wire.id('group', groupId);
    const raw = rawFields(request.body);
    try {
      return await this.keys.once(request, member.user.id, raw, () => change(`/groups/${id}`));
    } catch (error) {
      const isUnknownEvent = typed !== undefined && error instanceof Refusal && error.code === 'not_found';
      const refused = isUnknownEvent
        ? { status: 404, text: translator(member.locale)('interest_unknown') }
        : // The form shows `banned` itself: the reader is banned from the event that they want to add, not from the
          // group.
          refusedBy(error, member.locale, reply, ['banned']);
      // If the reader does not see the group, `show` throws 404.
      return this.view.show(id, member, {
        refused: typed === undefined ? refused : { ...refused, typed },
        key: keyFieldIn(raw)?.[1],
      });
    }
  }
}

/** Returns the id from the address of an event's page, and any other text without the spaces around it. */
function idIn(text: string): string {
  return /\/events\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();
}
