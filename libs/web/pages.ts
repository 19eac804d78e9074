import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { NoticesReader, type NoticeAbout } from '#areas/notifications/notices.reader';
import { NoticesService } from '#areas/notifications/notices.service';
import { AccountErasures } from '#areas/own-data/account-erasures';
import { ModerationQueue } from '#areas/moderation/moderation-queue.reader';
import { LOCALES } from '#contract/vocabulary';
import { basePathOf } from '#platform/config/base-path';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { Maintenance } from '#platform/maintenance/maintenance';
import { withoutControls } from '#platform/text/characters';
import { ACCOUNT_TABS } from './account-tabs';
import { calendarLinks } from './calendars/calendar-links';
import { labelOf } from './field-labels';
import { FormTokens, withoutTokens } from './form/form-tokens';
import { webFolder } from './folder';
import { goneName } from './gone-name';
import { localTime } from './local-time';
import { localPath } from './local-path';
import { mapTiles, type MapTiles } from './maps';
import { editorWords } from './texts/form-script.texts';
import { isModerator } from './moderation/moderator';
import type { Reader } from './readers';
import type { FlashMessage } from './redirect';
import { csrfToken, takeFlash } from './session';
import { OperatorTexts } from './site/operator-texts';
import { hasText, translator } from './texts';
import { ERROR_PAGE, type AddedValue, type View } from './view';

/**
 * Pages with forms for a signed-in reader have an HTML comment of random length, so that the length of the compressed
 * page reveals less about a secret on the page (ADR 135). The comment contains two hexadecimal digits for each random
 * byte. Error pages have no such comment, so that the 404 of a private event is as long as the 404 of an unknown event
 * (PAGE-22). The only secrets of error pages are form tokens, which differ in each response.
 */
const MAX_PADDING_BYTES = 64;

/** Renders views as HTML. Every value is escaped, except values that the view marks as clean HTML. */
@Injectable()
export class Pages {
  private readonly eta: Eta;
  /** The path of BASE_URL; empty if BASE_URL has no path. Every link to a page of the service begins with this path. */
  private readonly base: string;
  private readonly tiles: MapTiles | null;

  constructor(
    private readonly notices: NoticesReader,
    private readonly noticesService: NoticesService,
    private readonly queue: ModerationQueue,
    private readonly erasures: AccountErasures,
    private readonly operatorTexts: OperatorTexts,
    private readonly database: Database,
    private readonly tokens: FormTokens,
    private readonly settings: Settings,
    private readonly maintenance: Maintenance,
  ) {
    this.eta = new Eta({ views: webFolder('views'), cache: true });
    this.tiles = mapTiles(settings.mapTilesUrl);
    this.base = basePathOf(settings.baseUrl);
  }

  /**
   * Returns the HTML, and writes the status, the content type and `Vary` to the reply. If the page has a form for the
   * reader and the session has no secret for form tokens yet, a secret is created and stored in the session. If the
   * status is 200, the signed-in reader's notices about the page's subject are marked as read.
   */
  async render(reader: Reader, reply: FastifyReply, { name, content, status }: View): Promise<string> {
    const { user, locale } = reader;
    const [unread, waiting, erasureDueAt, operatorPages] = await Promise.all([
      user ? this.markReadAndCountUnread(user.id, status === 200 ? content.about : undefined) : 0,
      // The moderation tab shows how many reported objects and objections wait for a decision (PAGE-40).
      content.tab && isModerator(user) ? this.queue.waiting() : null,
      // The page `data` itself shows the date of the erasure.
      user && content.tab && content.tab !== 'data' ? this.erasures.dueAt(user.id) : null,
      this.operatorTexts.existing(),
    ]);
    // The page depends on the session and the language of the request (PAGE-72). Pages for frames set their own `Vary`.
    if (!reply.hasHeader('vary')) reply.header('vary', `${status >= 400 ? 'Accept, ' : ''}Cookie, Accept-Language`);
    const csrf = !content.hasNoForm && (user || content.hasVisitorForm) ? csrfToken(reply.request) : '';
    // During maintenance a form would be refused, so the page shows a notice. If the database is down, the notice is
    // not shown.
    const maintenance = csrf ? await this.maintenance.recentState().catch(() => null) : null;
    const flash = status === 200 && reply.request.method === 'GET' ? takeFlash(reply.request) : null;
    const added: Readonly<Record<AddedValue, unknown>> = {
      base: this.base,
      user,
      unread,
      locale,
      say: translator(locale),
      maintenance: maintenance?.message ?? null,
      flash: flash && flashText(flash, locale),
      flashKey: flash?.text,
      flashAt: flash?.at,
      label: (field: string) => labelOf(field, locale),
      time: (instant: string) => localTime(reader, new Date(instant)),
      csrf,
      goneName: (person: { slug: string; name: string }) => goneName(person, locale),
      nameOf: (person: { slug: string; name: string }) => goneName(person, locale) ?? person.name,
      calendarLinks,
      waiting,
      erasureDueAt: erasureDueAt && localTime(reader, erasureDueAt),
      operatorPages,
      locales: LOCALES,
      here: localPath(withoutTokens(reply.request.url)),
      tabs: ACCOUNT_TABS.filter(
        ({ tab }) => (tab !== 'moderation' || waiting) && (tab !== 'requests' || this.settings.requestLog),
      ),
      mapTiles: this.tiles,
      editorWords: editorWords(locale),
      padding: user && csrf && name !== ERROR_PAGE ? randomBytes(randomInt(MAX_PADDING_BYTES + 1)).toString('hex') : '',
    };
    // The form token `_by` (`FormTokens`). Forms of visitors have no such token.
    const openedBy = content.openedBy ?? (user && csrf ? this.tokens.issue(user.id) : '');
    // Rows that were written before the rule WIRE-12 existed can contain control characters.
    const html = withoutControls(this.eta.render(`./${name}`, { ...content, ...added, openedBy }));
    reply.code(status).type('text/html; charset=utf-8');
    return html;
  }

  /**
   * Marks notices about the page's subject as read, and returns the number of notices that remain unread. Writes only
   * if there are unread notices about this subject.
   */
  private async markReadAndCountUnread(userId: number, about: NoticeAbout | undefined): Promise<number> {
    if (!about) return this.notices.unread(this.database, userId);
    const { unread, ofSubject } = await this.notices.unreadAbout(this.database, userId, about);
    return ofSubject === 0 ? unread : (await this.noticesService.markReadAbout(userId, about)).unread;
  }

  /** The address of a page of this service, with the path of BASE_URL. */
  address(path: string): string {
    return this.base + path;
  }
}

/**
 * Returns the translated message. Returns null if an older version of the service has stored the message and its text
 * no longer exists.
 */
function flashText({ text, values }: FlashMessage, locale: Reader['locale']): string | null {
  return hasText(text) ? translator(locale)(text, values) : null;
}
