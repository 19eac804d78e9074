import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { QuotasModule } from '../quotas/quotas.module';
import { SeriesExtendJob } from './series-extend.job';
import { SeriesController } from './series.controller';
import { Series } from './series.entity';
import { SeriesReader } from './series.reader';
import { SeriesService } from './series.service';

@Module({
  imports: [TypeOrmModule.forFeature([Series]), EventsModule, QuotasModule],
  controllers: [SeriesController],
  providers: [SeriesExtendJob, SeriesReader, SeriesService],
  exports: [SeriesExtendJob, SeriesReader, SeriesService],
})
export class SeriesModule {}
