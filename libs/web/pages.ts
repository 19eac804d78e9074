import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoticesReader, type NoticeAbout } from '#areas/notifications/notices.reader';
import { NoticesService } from '#areas/notifications/notices.service';
import { ModerationQueue } from '#areas/moderation/moderation-queue.reader';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { withoutControls } from '#platform/text/characters';
import { ACCOUNT_TABS, type AccountTab } from './account-tabs';
import { calendarLinks } from './calendars/calendar-links';
import { labelOf } from './field-labels';
import { webFolder } from './folder';
import { localTime } from './local-time';
import { mapTiles, type MapTiles } from './maps';
import { isModerator } from './moderation/moderator';
import { Readers, type Reader } from './readers';
import { translator } from './texts';

/** What other sites show of a page (Open Graph). Only pages that have it are for search engines. */
export interface Social {
  readonly title: string;
  readonly type: 'website' | 'article' | 'profile';
  readonly url: string;
  readonly description: string;
  readonly image: SocialImage | null;
}

/** A picture as other sites show it; its size in pixels where it is known. */
export interface SocialImage {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

export function imageOf(url: string | null): SocialImage | null {
  return url === null ? null : { url };
}

/** The same as a file that programs read. */
export interface Alternate {
  readonly type: typeof CALENDAR_TYPE | typeof ATOM_TYPE;
  readonly href: string;
  readonly title: string;
}

export const CALENDAR_TYPE = 'text/calendar';
export const ATOM_TYPE = 'application/atom+xml';

/** What is shown: the view's own values, and what the layout wants to know. */
export interface Content {
  readonly title: string;
  /** One's own pages: which of them. */
  readonly tab?: AccountTab;
  /** Which of the lists of the head it belongs to. */
  readonly section?: 'explore' | 'groups' | 'posts' | 'puls';
  /** Lists and pages with two columns. */
  readonly wide?: boolean;
  readonly social?: Social;
  readonly alternates?: readonly Alternate[];
  /** What search engines read: JSON that is safe in a script element. */
  readonly jsonLd?: string;
  /** What the page shows: notices about it are read by opening it (NOTE-10). */
  readonly about?: NoticeAbout;
  /** Has a form for strangers too. */
  readonly form?: boolean;
  /** Has no form at all, not even to sign out. */
  readonly formless?: boolean;
  /** Addresses of the pages of a list before and after this one. */
  readonly neighbours?: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[];
  readonly [value: string]: unknown;
}

/** Makes pages from the views. Everything is escaped unless a view says that it is clean HTML. */
@Injectable()
export class Pages {
  private readonly eta: Eta;
  /** The path of BASE_URL, if it has one: every link begins with it. */
  private readonly base: string;
  private readonly tiles: MapTiles | null;

  constructor(
    private readonly readers: Readers,
    private readonly notices: NoticesReader,
    private readonly noticesService: NoticesService,
    private readonly queue: ModerationQueue,
    private readonly database: Database,
    private readonly reads: ReadingDatabase,
    settings: Settings,
  ) {
    this.eta = new Eta({ views: webFolder('views'), cache: true });
    this.tiles = mapTiles(settings.mapTilesUrl);
    this.base = new URL(settings.baseUrl).pathname.replace(/\/$/, '');
  }

  reader(request: FastifyRequest): Promise<Reader> {
    return this.readers.readerOf(request);
  }

  /** For what replicas may show: `work` reads, and sends the page at its end. Its one write, notices that become read, can be repeated. */
  async reading<T>(request: FastifyRequest, work: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await this.reader(request);
    return this.reads.during(() => work(reader), reader.user?.id ?? null);
  }

  /** As `reading`, for what is the same for everybody, and for which nobody is asked who they are. */
  readingOpenly<T>(work: () => Promise<T>): Promise<T> {
    return this.reads.during(work);
  }

  /** Whoever it is: for when it cannot be found out. */
  stranger(request: FastifyRequest): Reader {
    return this.readers.stranger(request);
  }

  async show(reader: Reader, reply: FastifyReply, view: string, content: Content, status = 200): Promise<FastifyReply> {
    const { user, locale } = reader;
    const [unread, waiting] = await Promise.all([
      user ? this.unreadAfter(user.id, status === 200 ? content.about : undefined) : 0,
      // The tab of moderation shows how much waits (PAGE-40).
      content.tab && isModerator(user) ? this.queue.waiting() : null,
    ]);
    const csrf = !content.formless && (user || content.form) ? reply.generateCsrf() : '';
    // Rows from before WIRE-12 may still have control characters.
    const html = withoutControls(
      this.eta.render(`./${view}`, {
        ...content,
        base: this.base,
        user,
        unread,
        locale,
        say: translator(locale),
        label: (field: string) => labelOf(field, locale),
        time: (instant: string) => localTime(reader, new Date(instant)),
        csrf,
        calendarLinks,
        waiting,
        tabs: ACCOUNT_TABS.filter(({ tab }) => tab !== 'moderation' || waiting),
        mapTiles: this.tiles,
      }),
    );
    return reply.code(status).type('text/html; charset=utf-8').send(html);
  }

  /** How many notices are unread once those about what the page shows are read. Nothing is written where there are none. */
  private async unreadAfter(userId: number, about: NoticeAbout | undefined): Promise<number> {
    if (!about) return this.notices.unread(this.database, userId);
    const { unread, ofSubject } = await this.notices.unreadAbout(this.database, userId, about);
    return ofSubject === 0 ? unread : (await this.noticesService.readAbout(userId, about)).unread;
  }

  /** To another of our pages, after a form. */
  goTo(reply: FastifyReply, path: string): FastifyReply {
    return reply.redirect(this.base + path, 303);
  }
}
