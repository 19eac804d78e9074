import { Get, Post, Query } from '@nestjs/common';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import { NOTICES_PAGE } from '#areas/notifications/notice-places';
import { NOTICE_KINDS, type NoticeKind } from '#areas/notifications/notice.texts';
import { NoticesService } from '#areas/notifications/notices.service';
import { LIMITS } from '#contract/limits';
import { REMINDER_HOURS } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import type { PageQueryDto } from '#platform/http/page';
import { fieldErrors, type FormValues } from '../forms';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { neighboursOf, pageNumber } from '../public/listing';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type Content, type View } from '../view';
import { NoticeSettings } from './notice.settings';
import { PushView } from './push-view';

const PER_PAGE = 20;

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
    private readonly noticeSettings: NoticeSettings,
    private readonly settings: Settings,
    private readonly push: PushView,
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
    refused: { readonly values: FormValues; readonly errors: Record<string, string> } | null = null,
  ): Promise<View> {
    const page = pageNumber(sent);
    const query: PageQueryDto = { page, per_page: PER_PAGE };
    const notMailed = await this.choices.stoppedKindsOf(member.user.id);
    const notPushed = await this.push.stoppedKinds(member);
    const found = await this.notices.listWithPages(member.caller, query, {
      ...member,
      hasLinks: true,
    });
    const { items, meta } = found;
    const content: Content = {
      title: translator(member.locale)('notices'),
      tab: 'notices',
      notices: items.map((notice) => ({
        id: notice.id,
        text: notice.text,
        to: notice.page === NOTICES_PAGE ? null : notice.page,
        messageId: notice.showsMessage ? notice.subject.id : null,
        isRead: notice.read_at !== null,
        at: localTime(member, new Date(notice.created_at)),
      })),
      // The first page has a form that marks notices as read: the newest notice of this page and all older notices.
      readUpTo: meta && meta.unread > 0 && page === 1 ? items[0]?.id : null,
      // The table has a column for each channel (mail, push) and a row for each kind of notice.
      channels: [...(this.hasMail ? ['mail'] : []), ...(this.push.isOn ? ['push'] : [])],
      kinds: NOTICE_KINDS.map((kind) => ({
        kind,
        on: refused
          ? { mail: isChosen('mail', kind, refused.values), push: isChosen('push', kind, refused.values) }
          : { mail: !notMailed.includes(kind), push: !notPushed.includes(kind) },
      })),
      push: await this.push.contentFor(member),
      pushLimit: LIMITS.push.per_account,
      done: pushOutcome({ subscribed, removed }),
      reminders: REMINDER_HOURS,
      reminderHours: member.user.reminderHours,
      saved: saved !== undefined,
      errors: refused?.errors ?? {},
      neighbours: neighboursOf('/account/notices', found),
    };
    return view('notices', content, refused ? 422 : 200);
  }

  @Post('account/notices/mails')
  @SignedInOnly('/account/notices')
  @CheckForm()
  async saveSettings(@CurrentMember() member: Member, @FormFields() values: FormValues): Promise<View | Redirect> {
    try {
      await this.noticeSettings.save(member.user.id, {
        mails: this.hasMail ? chosen('mail', values) : null,
        pushes: this.push.isOn ? chosen('push', values) : null,
        reminderHours: values.reminder_hours === undefined ? null : Number(values.reminder_hours || 'none'),
      });
    } catch (error) {
      return this.show(member, {}, { values, errors: fieldErrors(error, member.locale) });
    }
    return redirectTo('/account/notices?saved#mails');
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

/** The text key of the confirmation that the member has added or removed a browser; null without such a change. */
function pushOutcome({ subscribed, removed }: NoticesQuery): 'push_done' | 'push_removed' | null {
  if (subscribed !== undefined) return 'push_done';
  return removed === undefined ? null : 'push_removed';
}

/** The kinds of notices whose boxes for the channel are ticked. */
function chosen(channel: 'mail' | 'push', values: FormValues): NoticeKind[] {
  return NOTICE_KINDS.filter((kind) => isChosen(channel, kind, values));
}

function isChosen(channel: 'mail' | 'push', kind: NoticeKind, values: FormValues): boolean {
  return values[`${channel}_${kind}`] === '1';
}
