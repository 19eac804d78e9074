import { Module } from '@nestjs/common';
import { RequestLog } from './request-log';
import { RequestLogSweepJob } from './request-log-sweep.job';
import { RequestsController } from './requests.controller';
import { RequestsReader } from './requests.reader';

@Module({
  controllers: [RequestsController],
  providers: [RequestLog, RequestLogSweepJob, RequestsReader],
  exports: [RequestLog, RequestLogSweepJob, RequestsReader],
})
export class RequestsModule {}
