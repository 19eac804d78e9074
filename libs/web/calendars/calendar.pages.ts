import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CalendarsReader } from '#areas/calendars/calendars.reader';
import { SeriesReader } from '#areas/series/series.reader';
import { LOCALES } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Pages } from '../pages';
import { PublicPeople } from '../public/public-people';
import { SeenGroups } from '../public/seen-groups';
import { translator } from '../texts';
import { answerCalendar } from './calendar-answers';
import type { CalendarDocument } from './icalendar';

const SECRET_FILE = /^([A-Za-z0-9_-]+)\.ics$/;

/** The calendars that programs subscribe to (CAL): by their address alone, whoever asks. */
@Injectable()
export class CalendarPages {
  constructor(
    private readonly pages: Pages,
    private readonly calendars: CalendarsReader,
    private readonly groups: SeenGroups,
    private readonly people: PublicPeople,
    private readonly series: SeriesReader,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
      reply.header('x-robots-tag', 'noindex');
      return answerCalendar(request, reply, await this.secret(request.params.file), 'private');
    });
    this.serveOpenly(fastify, '/groups/:id/calendar.ics', (id, request) => this.ofGroup(id, request));
    this.serveOpenly(fastify, '/people/:id/calendar.ics', (slug) => this.ofPerson(slug));
    this.serveOpenly(fastify, '/series/:id/calendar.ics', (id) => this.ofSeries(id));
  }

  private serveOpenly(
    fastify: FastifyInstance,
    path: string,
    calendar: (id: string, request: FastifyRequest) => Promise<CalendarDocument>,
  ): void {
    fastify.get<{ Params: { id: string } }>(path, async (request, reply): Promise<FastifyReply> =>
      answerCalendar(
        request,
        reply,
        await this.pages.readingOpenly(() => calendar(request.params.id, request)),
        'public',
      ),
    );
  }

  private async secret(file: string): Promise<CalendarDocument> {
    const secret = SECRET_FILE.exec(file)?.[1];
    const calendar = secret === undefined ? null : await this.calendars.bySecret(secret);
    if (!calendar) throw new Refusal('not_found');
    const say = translator(LOCALES.find((one) => one === calendar.locale) ?? 'en');
    return { name: say('my_events'), entries: calendar.entries };
  }

  /** As a stranger sees it, whoever asks: programs have no session. */
  private async ofGroup(hashid: string, request: FastifyRequest): Promise<CalendarDocument> {
    const { id, name } = await this.groups.group(hashid, this.pages.stranger(request));
    return { name, entries: await this.calendars.publicOf('group', this.wire.ids.decode('group', id) ?? 0) };
  }

  private async ofPerson(slug: string): Promise<CalendarDocument> {
    const person = await this.people.bySlug(slug);
    if (!person) throw new Refusal('not_found');
    return { name: person.name, entries: await this.calendars.publicOf('organizer', person.id) };
  }

  private async ofSeries(hashid: string): Promise<CalendarDocument> {
    const id = this.wire.ids.decode('series', hashid);
    const title = id === null ? null : await this.series.publicTitle(id);
    if (id === null || title === null) throw new Refusal('not_found');
    return { name: title, entries: await this.calendars.publicOf('series', id) };
  }
}
