import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import { NOTICE_KINDS } from '#areas/notifications/notice.texts';
import { NoticesService } from '#areas/notifications/notices.service';
import { REMINDER_HOURS } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import type { PageQueryDto } from '#platform/http/page';
import { formValues } from '../forms';
import { localTime } from '../local-time';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { NoticeSettings } from './notice.settings';
import { SignedIn, type Member } from './signed-in';

const PER_PAGE = 20;

/** /account/notices: what one was told (NOTE-6). */
@Injectable()
export class NoticePages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly notices: NoticesService,
    private readonly choices: MailChoicesCommands,
    private readonly choice: NoticeSettings,
    private readonly settings: Settings,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get(
      '/account/notices',
      this.signedIn.only((member, reply, { query }) => {
        const { page, saved } = query as { page?: unknown; saved?: unknown };
        return this.show(member, reply, pageOf(page), saved !== undefined);
      }),
    );

    fastify.post(
      '/account/notices/mails',
      ownForms(fastify),
      this.signedIn.only(async (member, reply, { body }) => {
        const values = formValues(body);
        await this.choice.save(member.user.id, {
          mails: this.hasMail ? NOTICE_KINDS.filter((kind) => values[`mail_${kind}`] === '1') : null,
          reminderHours: values.reminder_hours === undefined ? null : Number(values.reminder_hours || 'none'),
        });
        return this.pages.goTo(reply, '/account/notices?saved#mails');
      }),
    );

    fastify.post(
      '/account/notices/read',
      ownForms(fastify),
      this.signedIn.only(async (member, reply, { body }) => {
        await this.notices.read(member.user.id, { up_to: formValues(body).up_to ?? '' });
        return this.pages.goTo(reply, '/account/notices');
      }),
    );
  }

  private get hasMail(): boolean {
    return this.settings.smtpUrl !== null;
  }

  private async show(member: Member, reply: FastifyReply, page: number, saved = false): Promise<FastifyReply> {
    const query: PageQueryDto = { page, per_page: PER_PAGE };
    const stopped = await this.choices.stoppedBy(member.user.id);
    const { items, total, meta } = await this.notices.listWithPages(member.user.id, query, {
      ...member,
      hasLinks: true,
    });
    return this.pages.show(member, reply, 'notices', {
      title: translator(member.locale)('notices'),
      tab: 'notices',
      notices: items.map((notice) => ({
        id: notice.id,
        text: notice.text,
        to: notice.page,
        isRead: notice.read_at !== null,
        at: localTime(member, new Date(notice.created_at)),
      })),
      // What is unread is read from the newest notice on; it stands on the first page.
      readUpTo: meta && meta.unread > 0 && page === 1 ? items[0]?.id : null,
      // A column for each channel, a row for each kind.
      channels: this.hasMail ? ['mail'] : [],
      kinds: NOTICE_KINDS.map((kind) => ({ kind, on: { mail: !stopped.includes(kind) } })),
      reminders: REMINDER_HOURS,
      reminderHours: member.user.reminderHours,
      saved,
      newer: page > 1 ? page - 1 : null,
      older: page * PER_PAGE < total ? page + 1 : null,
    });
  }
}

/** The first page for anything that is none. */
function pageOf(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
