import { Get, Header, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CalendarsReader } from '#areas/calendars/calendars.reader';
import { SeriesReader } from '#areas/series/series.reader';
import { SeriesIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { storedLocale } from '#platform/messages/locale';
import type { CachedFile } from '../cached-file';
import { FileController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import { PublicPeople } from '../public/public-people';
import { VisibleGroups } from '../groups/visible-groups';
import { Readers } from '../readers';
import { translator } from '../texts';
import { calendarFile } from './calendar-file';

const SECRET_FILE = /^([A-Za-z0-9_-]+)\.ics$/;

/**
 * The calendars to which calendar programs subscribe (docs/rules/calendars.md). No session is read, so everybody gets
 * the same calendar from an address.
 */
@FileController()
export class CalendarPages {
  constructor(
    private readonly readers: Readers,
    private readonly calendars: CalendarsReader,
    private readonly groups: VisibleGroups,
    private readonly people: PublicPeople,
    private readonly series: SeriesReader,
  ) {}

  @Get('calendar/:file')
  @Header('x-robots-tag', 'noindex')
  async secret(@Param('file') file: string): Promise<CachedFile> {
    const secret = SECRET_FILE.exec(file)?.[1];
    const calendar = secret === undefined ? null : await this.calendars.bySecret(secret);
    if (!calendar) throw new Refusal('not_found');
    const say = translator(storedLocale(calendar.locale));
    return calendarFile({ name: say('my_events'), entries: calendar.entries }, 'private');
  }

  /** Reads the group as a visitor without an account sees it, because calendar programs have no session. */
  @Get('groups/:id/calendar.ics')
  @ReadsReplica()
  async ofGroup(@Param('id') hashid: string, @Req() request: FastifyRequest): Promise<CachedFile> {
    const { groupId, group } = await this.groups.group(hashid, this.readers.visitor(request));
    return calendarFile({ name: group.name, entries: await this.calendars.publicOf('group', groupId) }, 'public');
  }

  @Get('people/:id/calendar.ics')
  @ReadsReplica()
  async ofPerson(@Param('id') slug: string): Promise<CachedFile> {
    const person = await this.people.bySlug(slug);
    if (!person) throw new Refusal('not_found');
    return calendarFile(
      { name: person.name, entries: await this.calendars.publicOf('organizer', person.id) },
      'public',
    );
  }

  @Get('series/:id/calendar.ics')
  @ReadsReplica()
  async ofSeries(@Param('id', SeriesIdPipe) id: number): Promise<CachedFile> {
    const series = await this.series.publicSeries(id);
    if (!series) throw new Refusal('not_found');
    return calendarFile({ name: series.title, entries: await this.calendars.publicOf('series', id) }, 'public');
  }
}
