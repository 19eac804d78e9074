import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { ChangesController } from './changes.controller';
import { ChangesReader } from './changes.reader';
import { ChangesService } from './changes.service';
import { StreamsReader } from './streams.reader';
import { ChangesTail } from './live/changes-tail';
import { Holds } from './live/holds';
import { OpenAnswers } from './live/open-answers';
import { StreamsService } from './live/streams.service';
import { WaitingService } from './live/waiting.service';
import { ThingsToJudge } from './judging/judged-things';

@Module({
  imports: [IdentityModule],
  controllers: [ChangesController],
  providers: [
    ThingsToJudge,
    ChangesReader,
    ChangesService,
    ChangesTail,
    Holds,
    OpenAnswers,
    StreamsReader,
    StreamsService,
    WaitingService,
  ],
  exports: [ChangesReader, StreamsReader],
})
export class ChangesModule {}
