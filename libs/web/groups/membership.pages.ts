import { Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InterestService } from '#areas/group-events/interest.service';
import { MembershipService } from '#areas/groups/membership.service';
import { GroupIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import type { FormValues } from '../forms';
import { ActingPageController, CheckForm, CurrentMember, FormFields, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
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
export class MembershipPages {
  constructor(
    private readonly view: GroupView,
    private readonly visibleGroups: VisibleGroups,
    private readonly membership: MembershipService,
    private readonly interests: InterestService,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Post('groups/:id/join')
  @CheckForm()
  join(
    @CurrentMember() member: Member,
    @Param('id', GroupIdPipe) groupId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.submit(member, groupId, request, async (page) => {
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
  ): Promise<View | Redirect> {
    return this.submit(member, groupId, request, async (page) => {
      const formerRole = await this.membership.leave(member.caller, groupId);
      const group = await this.visibleGroups.groupOrNull(this.wire.id('group', groupId), member);
      return redirectTo(group ? page : '/account/groups', MESSAGE_AFTER_LEAVING[formerRole ?? '']);
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
    return this.submit(member, groupId, request, act, remove === undefined ? (event ?? '') : undefined);
  }

  /** @param typedEvent the typed event of the form that adds an interest; undefined for all other forms */
  private submit(
    member: Member,
    groupId: number,
    request: FastifyRequest,
    change: (page: string) => Promise<Redirect>,
    typedEvent?: string,
  ): Promise<View | Redirect> {
    const id = this.wire.id('group', groupId);
    return this.formRunner.run(member, request, {
      action: () => change(`/groups/${id}`),
      // These refusals concern the typed event: it is unknown, or the member is banned from it, not from the group.
      ...(typedEvent !== undefined && { formCodes: ['not_found', 'banned'] }),
      // If the member does not see the group, `show` throws 404.
      show: (refusal) => {
        const text = refusal.code === 'not_found' ? translator(member.locale)('interest_unknown') : refusal.text;
        return this.view.show(id, member, { refusal: { ...refusal, text }, typedEvent });
      },
    });
  }
}

/** Returns the id from the address of an event's page, and any other text without the spaces around it. */
function idIn(text: string): string {
  return /\/events\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();
}
