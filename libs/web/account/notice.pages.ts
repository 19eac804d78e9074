import { Get, Post, Query } from '@nestjs/common';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import { NOTICE_KINDS } from '#areas/notifications/notice.texts';
import { NoticesService } from '#areas/notifications/notices.service';
import { REMINDER_HOURS } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import type { PageQueryDto } from '#platform/http/page';
import type { FormValues } from '../forms';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { NoticeSettings } from './notice.settings';

const PER_PAGE = 20;

/** /account/notices: the notices of an account, and the kinds of notices that it gets by mail (NOTE-6). */
@PageController()
@SignedInOnly()
export class NoticePages {
  constructor(
    private readonly notices: NoticesService,
    private readonly choices: MailChoicesCommands,
    private readonly choice: NoticeSettings,
    private readonly settings: Settings,
  ) {}

  private get hasMail(): boolean {
    return this.settings.smtpUrl !== null;
  }

  @Get('account/notices')
  async list(@CurrentMember() member: Member, @Query() { page: sent, saved }: NoticesQuery): Promise<View> {
    const page = pageOf(sent);
    const query: PageQueryDto = { page, per_page: PER_PAGE };
    const stopped = await this.choices.stoppedBy(member.user.id);
    const { items, total, meta } = await this.notices.listWithPages(member.caller, query, {
      ...member,
      hasLinks: true,
    });
    return view('notices', {
      title: translator(member.locale)('notices'),
      tab: 'notices',
      notices: items.map((notice) => ({
        id: notice.id,
        text: notice.text,
        to: notice.page,
        isRead: notice.read_at !== null,
        at: localTime(member, new Date(notice.created_at)),
      })),
      // The form marks everything as read up to the newest notice, which is on the first page.
      readUpTo: meta && meta.unread > 0 && page === 1 ? items[0]?.id : null,
      // A column for each channel, a row for each kind.
      channels: this.hasMail ? ['mail'] : [],
      kinds: NOTICE_KINDS.map((kind) => ({ kind, on: { mail: !stopped.includes(kind) } })),
      reminders: REMINDER_HOURS,
      reminderHours: member.user.reminderHours,
      saved: saved !== undefined,
      newer: page > 1 ? page - 1 : null,
      older: page * PER_PAGE < total ? page + 1 : null,
    });
  }

  @Post('account/notices/mails')
  @CheckForm()
  async chooseMails(@CurrentMember() member: Member, @FormFields() values: FormValues): Promise<Redirect> {
    await this.choice.save(member.user.id, {
      mails: this.hasMail ? NOTICE_KINDS.filter((kind) => values[`mail_${kind}`] === '1') : null,
      reminderHours: values.reminder_hours === undefined ? null : Number(values.reminder_hours || 'none'),
    });
    return redirectTo('/account/notices?saved#mails');
  }

  @Post('account/notices/read')
  @CheckForm()
  async markRead(@CurrentMember() member: Member, @FormFields() values: FormValues): Promise<Redirect> {
    await this.notices.read(member.caller, { up_to: values.up_to ?? '' });
    return redirectTo('/account/notices');
  }
}

interface NoticesQuery {
  readonly page?: unknown;
  readonly saved?: unknown;
}

/** The first page for any text that is not the number of a page. */
function pageOf(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
