import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import { NOTICES_PAGE } from '#areas/notifications/notice-places';
import { NOTICE_KINDS, type NoticeKind } from '#areas/notifications/notice.texts';
import { NoticesService } from '#areas/notifications/notices.service';
import { LIMITS } from '#contract/limits';
import { REMINDER_HOURS } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import type { PageQueryDto } from '#platform/http/page';
import { Clock } from '#platform/time/clock';
import { choices, choicesOf, plainForm, select, type FormPlan } from '../form/plan';
import { rawFields, type ApiValues, type RawFields } from '../form/raw-fields';
import { refuseOutdated, shownValues } from '../form/shown-values';
import { fieldErrors, type FormValues } from '../forms';
import { dayHeading } from '../day-heading';
import { localClock, localTime } from '../local-time';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { neighboursOf, pageNumber } from '../listing';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type Content, type View } from '../view';
import { NOTICE_GROUPS } from './notice-groups';
import { NoticeChoicesService, type StoredChoices } from './notice-choices.service';
import { PushView } from './push-view';

const PER_PAGE = 20;

/**
 * The choices of the form. Hidden fields contain the values that the form showed, so that changes by another request
 * are detected (PAGE-97).
 */
const CHOICES = plainForm(
  'notices',
  select(
    'reminder_hours',
    'reminder_hours',
    REMINDER_HOURS.map((hours) => ({ value: String(hours), text: `reminder_${hours}` as const })),
  ),
  choices('mail_kinds', 'channel_mail', choicesOf(NOTICE_KINDS, 'kind_')),
  choices('push_kinds', 'channel_push', choicesOf(NOTICE_KINDS, 'kind_')),
);

/**
 * /account/notices: the notices of an account, the kinds of notices that the account gets by mail and as push messages,
 * the time of reminders, and the browsers to which push messages are sent (NOTE-6, PUSH-1).
 */
@PageController()
@SignedInOnly()
export class NoticePages {
  constructor(
    private readonly notices: NoticesService,
    private readonly choices: MailChoicesCommands,
    private readonly noticeChoices: NoticeChoicesService,
    private readonly settings: Settings,
    private readonly push: PushView,
    private readonly clock: Clock,
  ) {}

  private get hasMail(): boolean {
    return this.settings.smtpUrl !== null;
  }

  @Get('account/notices')
  list(@CurrentMember() member: Member, @Query() query: NoticesQuery): Promise<View> {
    return this.show(member, query);
  }

  private async show(
    member: Member,
    { page: sent, saved, subscribed, removed }: NoticesQuery,
    refused?: RefusedChoices,
  ): Promise<View> {
    const page = pageNumber(sent);
    const query: PageQueryDto = { page, per_page: PER_PAGE };
    const notMailed = await this.choices.stoppedKindsOf(member.user.id);
    const notPushed = await this.push.stoppedKinds(member);
    const { reminderHours } = member.user;
    const stored = this.valuesOf({ notMailed, notPushed, reminderHours });
    const { hidden, labels, conflict } = shownValues(this.plan, member, stored, refused?.raw, refused?.error);
    const ticked: RawFields = conflict?.lists ??
      refused?.raw ?? { mail_kinds: stored.mail_kinds, push_kinds: stored.push_kinds };
    const found = await this.notices.listWithPages(member.caller, query, {
      ...member,
      hasLinks: true,
    });
    const { items, meta } = found;
    const content: Content = {
      title: translator(member.locale)('notices'),
      tab: 'notices',
      days: daysOf(
        items.map((notice) => ({
          id: notice.id,
          text: notice.text,
          to: notice.page === NOTICES_PAGE ? null : notice.page,
          messageId: notice.showsMessage ? notice.subject.id : null,
          isRead: notice.read_at !== null,
          at: localTime(member, new Date(notice.created_at)),
          clock: localClock(member, new Date(notice.created_at)),
          day: dayHeading(member, new Date(notice.created_at), this.clock.now()),
        })),
      ),
      // The first page has a form that marks notices as read: the newest notice of this page and all older notices.
      readUpTo: meta && meta.unread > 0 && page === 1 ? items[0]?.id : null,
      // The table has a column for each channel (mail, push) and a row for each kind of notice, by group.
      channels: [...(this.hasMail ? ['mail'] : []), ...(this.push.isOn ? ['push'] : [])],
      groups: NOTICE_GROUPS.map(({ text, kinds }) => ({
        text,
        kinds: kinds.map((kind) => ({
          kind,
          on: { mail: ticked['mail_kinds']?.includes(kind), push: ticked['push_kinds']?.includes(kind) },
        })),
      })),
      push: await this.push.contentFor(member),
      pushLimit: LIMITS.push.per_account,
      done: pushOutcome({ subscribed, removed }),
      reminders: REMINDER_HOURS,
      reminderHours: Number(conflict?.values.reminder_hours ?? reminderHours),
      labels,
      hidden,
      conflict,
      saved: saved !== undefined,
      errors: conflict?.errors ?? (refused ? fieldErrors(refused.error, member.locale) : {}),
      neighbours: neighboursOf('/account/notices', found),
    };
    return view('notices', content, conflict ? 412 : refused ? 422 : 200);
  }

  @Post('account/notices/mails')
  @CheckForm()
  async saveSettings(
    @CurrentMember() member: Member,
    @FormFields() values: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const [mail, push] = [chosen('mail', values), chosen('push', values)];
    const raw = { ...rawFields(request.body), mail_kinds: mail, push_kinds: push };
    const choices = {
      mails: this.hasMail ? mail : null,
      pushes: this.push.isOn ? push : null,
      reminderHours: values.reminder_hours === undefined ? null : Number(values.reminder_hours || 'none'),
    };
    try {
      await this.noticeChoices.save(member.user.id, choices, (stored) =>
        refuseOutdated(this.plan, raw, member, this.valuesOf(stored)),
      );
    } catch (error) {
      return this.show(member, {}, { raw, error });
    }
    return redirectTo('/account/notices?saved#mails');
  }

  /** The fields of the form. There is no field for a channel (mail, push) that the service does not offer. */
  private get plan(): FormPlan {
    const fields = CHOICES.fields.filter(
      ({ name }) => (name !== 'mail_kinds' || this.hasMail) && (name !== 'push_kinds' || this.push.isOn),
    );
    return { ...CHOICES, sections: [{ fields }], fields };
  }

  /** The values that the form shows. The list for a channel that the service does not offer is empty. */
  private valuesOf({ notMailed, notPushed, reminderHours }: StoredChoices) {
    const except = (stopped: readonly string[]) => NOTICE_KINDS.filter((kind) => !stopped.includes(kind));
    return {
      reminder_hours: String(reminderHours),
      mail_kinds: this.hasMail ? except(notMailed) : [],
      push_kinds: this.push.isOn ? except(notPushed) : [],
    } satisfies ApiValues;
  }

  @Post('account/notices/read')
  @CheckForm()
  async markRead(@CurrentMember() member: Member, @FormFields() values: FormValues): Promise<Redirect> {
    await this.notices.markReadUpTo(member.caller, { up_to: values.up_to ?? '' });
    return redirectTo('/account/notices');
  }
}

interface NoticesQuery {
  readonly page?: unknown;
  readonly saved?: unknown;
  readonly subscribed?: unknown;
  readonly removed?: unknown;
}

/** Choices that were not saved. */
interface RefusedChoices {
  /** The sent fields, with the ticked kinds as the lists `mail_kinds` and `push_kinds`. */
  readonly raw: RawFields;
  readonly error: unknown;
}

/** Groups the notices, which are sorted by time, by the heading of their day. */
function daysOf<Notice extends { readonly day: string }>(notices: readonly Notice[]) {
  const headings = [...new Set(notices.map(({ day }) => day))];
  return headings.map((heading) => ({ heading, notices: notices.filter(({ day }) => day === heading) }));
}

/** The text key of the confirmation that the member has added or removed a browser; null without such a change. */
function pushOutcome({ subscribed, removed }: NoticesQuery): 'push_done' | 'push_removed' | null {
  if (subscribed !== undefined) return 'push_done';
  return removed === undefined ? null : 'push_removed';
}

/** The kinds of notices whose boxes for the channel are ticked. */
function chosen(channel: 'mail' | 'push', values: FormValues): NoticeKind[] {
  return NOTICE_KINDS.filter((kind) => values[`${channel}_${kind}`] === '1');
}
