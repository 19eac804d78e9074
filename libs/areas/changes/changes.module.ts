import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { ChangesController } from './changes.controller';
import { ChangesReader } from './changes.reader';
import { ChangesService } from './changes.service';
import { ThingsToJudge } from './judging/judged-things';

@Module({
  imports: [IdentityModule],
  controllers: [ChangesController],
  providers: [ThingsToJudge, ChangesReader, ChangesService],
  exports: [ChangesReader],
})
export class ChangesModule {}
