import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import type { Precondition } from '#platform/http/precondition';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { OccurrencesCommands } from '../events/occurrences.commands';
import type { Caller } from '../identity/caller.reader';
import { lockAccount } from '../identity/users.reader';
import { QuotasCommands } from '../quotas/quotas.commands';
import { generationHorizon } from './recurrence';
import type { CreateSeriesDto, UpdateSeriesDto } from './series.dto';
import { newSeries, Series } from './series.entity';
import { SeriesReader } from './series.reader';
import type { SeriesResource } from './series.resource';
import { ruleOf, seriesViolations } from './series.rules';

/** Use cases of organizers for their series (SER-11, SER-14, SER-18). The series is locked before its events. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly database: Database,
    private readonly reader: SeriesReader,
    private readonly occurrences: OccurrencesCommands,
    private readonly quotas: QuotasCommands,
    private readonly clock: Clock,
  ) {}

  async create(caller: Caller, input: Input<CreateSeriesDto>): Promise<SeriesResource> {
    const fields = input.read();
    const now = this.clock.now();
    const template = seriesViolations(fields, now).throwWith(() => this.occurrences.template(caller.id, fields));
    return this.database.transaction(async (tx) => {
      // The organizer cannot create another series until this transaction ends.
      await lockAccount(tx, caller.id);
      const { used } = await this.reader.liveUsage(tx, caller.id);
      if (used >= LIMITS.series.live_per_account) throw new Refusal('conflict');
      const series = newSeries(
        {
          organizerId: caller.id,
          ...ruleOf(fields),
          durationMinutes: fields.duration_minutes ?? null,
          template,
        },
        now,
      );
      const first = series.generate(generationHorizon(now));
      const { id } = await tx.manager.save(Series, series);
      await this.occurrences.create(tx, [{ seriesId: id, organizerId: caller.id, template, occurrences: first }]);
      await this.quotas.take(tx, 'events', caller.id);
      return this.reader.show(tx, id);
    });
  }

  /**
   * Changes the template and, unless the series is cancelled, every upcoming occurrence. If a change is refused,
   * nothing is changed.
   */
  async update(
    caller: Caller,
    seriesId: number,
    input: Input<UpdateSeriesDto>,
    precondition: Precondition,
  ): Promise<{ series: SeriesResource; updatedEvents: number }> {
    return this.database.transaction(async (tx) => {
      const series = await this.reader.lockOwn(tx, seriesId, caller.id);
      await precondition.check(series.version, () => this.reader.show(tx, series.id));
      const changes = await input.readWith({ join_mode: series.template.join_mode });
      const template = this.occurrences.template(caller.id, changes, series.template);
      // An update of a cancelled series changes no occurrence (SER-20), not even one that is still in the future.
      const updatedEvents = series.isCancelled ? 0 : await this.occurrences.changeUpcoming(tx, series.id, changes);
      if (!isDeepStrictEqual(template, series.template)) {
        series.template = template;
        series.updatedAt = this.clock.now();
        await tx.manager.save(Series, series);
      }
      return { series: await this.reader.show(tx, series.id), updatedEvents };
    });
  }

  /**
   * Cancels the series and its upcoming occurrences. Throws 409 if the series is already cancelled, or if it is
   * inactive and has no upcoming occurrence (SER-19).
   */
  async cancel(caller: Caller, seriesId: number): Promise<{ series: SeriesResource; cancelledEvents: number }> {
    return this.database.transaction(async (tx) => {
      const series = await this.reader.lockOwn(tx, seriesId, caller.id);
      if (series.isCancelled) throw new Refusal('conflict');
      const cancelledEvents = await this.occurrences.cancelUpcoming(tx, series.id);
      if (!series.isActive && cancelledEvents === 0) throw new Refusal('conflict');
      series.cancel(this.clock.now());
      await tx.manager.save(Series, series);
      return { series: await this.reader.show(tx, series.id), cancelledEvents };
    });
  }
}
