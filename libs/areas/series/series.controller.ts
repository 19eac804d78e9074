import { Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { SeriesIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { PageQueryDto, sliceOf, type Page } from '#platform/http/page';
import { OwnEventResource } from '../events/event.resource';
import { EventsReader } from '../events/events.reader';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { CreateSeriesDto, OccurrencesQueryDto, UpdateSeriesDto } from './series.dto';
import { SeriesReader } from './series.reader';
import { SeriesResource } from './series.resource';
import { SeriesService } from './series.service';

/** The caller's own series. For series of other people, the answer is 404 (SER-12). */
@ApiTags('Series')
@Controller('series')
export class SeriesController {
  constructor(
    private readonly series: SeriesService,
    private readonly reader: SeriesReader,
    private readonly events: EventsReader,
  ) {}

  /** Lists your own series, including ended series. Newest first. */
  @Get()
  @AnswersPage(SeriesResource)
  async listSeries(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<SeriesResource>> {
    return this.reader.ofOrganizer(caller.id, sliceOf(input.read()));
  }

  /**
   * Creates a series with its occurrences of the next 8 weeks. A daily job creates later occurrences. A series counts
   * as one event towards the daily limit. At most five of your series can have future occurrences; a further series is
   * refused with 409 `conflict`. Only one of `until` and `occurrences_limit` may be sent.
   */
  @Post()
  @Answers(SeriesResource, { status: 201 })
  @Refuses('conflict', 'daily_event_limit')
  async createSeries(
    @CurrentCaller() caller: Caller,
    @BodyInput(CreateSeriesDto) body: Input<CreateSeriesDto>,
  ): Promise<One<SeriesResource>> {
    return one(await this.series.create(caller, body));
  }

  /** Shows one of your own series. For series of other people, the answer is 404. */
  @Get(':id')
  @Answers(SeriesResource)
  async getSeries(
    @CurrentCaller() caller: Caller,
    @Param('id', SeriesIdPipe) id: number,
  ): Promise<One<SeriesResource>> {
    return one(await this.reader.own(caller.id, id));
  }

  /**
   * Changes the template of a series and all upcoming occurrences. If one change is refused, nothing is changed. The
   * recurrence rule cannot be changed: for a request with one of its fields, the answer is 422. `meta.updated_events`
   * is the number of upcoming occurrences; it is 0 for a cancelled series.
   */
  @Patch(':id')
  @Answers(SeriesResource, {
    meta: {
      updated_events: {
        type: 'integer',
        description: 'how many upcoming occurrences the series has; 0 for a cancelled series',
      },
    },
  })
  @Refuses('precondition_failed')
  async updateSeries(
    @CurrentCaller() caller: Caller,
    @Param('id', SeriesIdPipe) id: number,
    @BodyInput(UpdateSeriesDto) body: Input<UpdateSeriesDto>,
    @IfMatch() precondition: Precondition,
  ): Promise<One<SeriesResource> & { meta: { updated_events: number } }> {
    const { series, updatedEvents } = await this.series.update(caller, id, body, precondition);
    return { ...one(series), meta: { updated_events: updatedEvents } };
  }

  /**
   * Ends a series and cancels all upcoming occurrences. Each occurrence is cancelled like a single event, but every
   * person gets only one notice. `meta.cancelled_events` counts the cancelled occurrences.
   */
  @Post(':id/cancel')
  @HttpCode(200)
  @Answers(SeriesResource, {
    meta: { cancelled_events: { type: 'integer', description: 'how many occurrences were cancelled' } },
  })
  @Refuses('conflict')
  async cancelSeries(
    @CurrentCaller() caller: Caller,
    @Param('id', SeriesIdPipe) id: number,
  ): Promise<One<SeriesResource> & { meta: { cancelled_events: number } }> {
    const { series, cancelledEvents } = await this.series.cancel(caller, id);
    return { ...one(series), meta: { cancelled_events: cancelledEvents } };
  }

  /**
   * Lists the occurrences of a series, sorted by their start. For the series' owner only. `scope=upcoming` omits
   * occurrences that are cancelled or have started.
   */
  @Get(':id/events')
  @AnswersPage(OwnEventResource)
  async listSeriesEvents(
    @CurrentCaller() caller: Caller,
    @Param('id', SeriesIdPipe) id: number,
    @QueryInput(OccurrencesQueryDto) input: Input<OccurrencesQueryDto>,
  ): Promise<Page<OwnEventResource>> {
    await this.reader.refuseUnlessOwn(id, caller.id);
    const query = input.read();
    return this.events.occurrencesOf(id, query.scope, sliceOf(query));
  }
}
