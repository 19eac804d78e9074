import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateSeriesDto, UpdateSeriesDto } from '#areas/series/series.dto';
import { SeriesReader } from '#areas/series/series.reader';
import { SeriesService } from '#areas/series/series.service';
import { EVENT_DEFAULTS } from '#contract/vocabulary';
import { SeriesIdPipe } from '#platform/http/public-ids';
import { versionOf } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { SentForm } from '../form/sent-form';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { MAX_EVENT_FORM_BYTES, NEW_SERIES, SERIES } from './event.form';

const DEFAULTS = { ...EVENT_DEFAULTS, frequency: 'weekly', interval: 1 };

/** /series/new and /series/{id}/edit (PAGE-95). */
@ActingPageController()
export class SeriesEditPages {
  constructor(
    private readonly series: SeriesService,
    private readonly reader: SeriesReader,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Get('series/new')
  newSeries(@CurrentMember() member: Member): View {
    return this.showNew(member, null);
  }

  @Post('series/new')
  @CheckForm({ plan: NEW_SERIES, maxBytes: MAX_EVENT_FORM_BYTES })
  create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(NEW_SERIES, CreateSeriesDto, raw, member);
        const { id } = await this.series.create(member.caller, form);
        return redirectTo(`/series/${id}`, 'series_created');
      },
      show: (refusal) => this.showNew(member, refusal),
    });
  }

  @Get('series/:id/edit')
  edit(@CurrentMember() member: Member, @Param('id', SeriesIdPipe) id: number): Promise<View> {
    return this.showEdit(member, id, null);
  }

  @Post('series/:id/edit')
  @CheckForm({ plan: SERIES, maxBytes: MAX_EVENT_FORM_BYTES })
  save(
    @CurrentMember() member: Member,
    @Param('id', SeriesIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(SERIES, UpdateSeriesDto, raw, member);
        const { updatedEvents } = await this.series.update(member.caller, id, form, form.precondition());
        if (form.isUnchanged) return redirectTo(this.pathOf(id), 'saved');
        return redirectTo(this.pathOf(id), 'series_saved', { count: updatedEvents });
      },
      show: (refusal) => this.showEdit(member, id, refusal),
    });
  }

  @Post('series/:id/edit/cancel')
  @CheckForm()
  cancel(
    @CurrentMember() member: Member,
    @Param('id', SeriesIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async () => {
        const { cancelledEvents } = await this.series.cancel(member.caller, id);
        return redirectTo(this.pathOf(id), 'series_cancelled', { count: cancelledEvents });
      },
      show: (refusal) => this.showEdit(member, id, refusal, true),
    });
  }

  private showNew(member: Member, refusal: FormRefusal | null): View {
    const content = {
      title: translator(member.locale)('series_new'),
      formView: formView(NEW_SERIES, member, { values: DEFAULTS, key: newKey(), refusal }),
    };
    return view('series-new', content, refusal?.status ?? 200);
  }

  private async showEdit(
    member: Member,
    id: number,
    refusal: FormRefusal | null,
    isCancellation = false,
  ): Promise<View> {
    const series = await this.reader.own(member.caller.id, id);
    return view(
      'series-edit',
      {
        ...partOf(series.title, translator(member.locale)('series_edit')),
        series,
        formView: formView(SERIES, member, {
          values: { ...series },
          version: versionOf(series) ?? 0,
          refusal: isCancellation ? null : refusal,
        }),
        refused: isCancellation ? (refusal?.text ?? null) : null,
      },
      refusal?.status ?? 200,
    );
  }

  private pathOf(id: number): string {
    return `/series/${this.wire.id('series', id)}/edit`;
  }
}
