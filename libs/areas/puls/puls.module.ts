import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasModule } from '../quotas/quotas.module';
import { PulsCommands } from './puls.commands';
import { PulsController } from './puls.controller';
import { PulsDrafts } from './puls.drafts';
import { PulsExpireJob } from './puls-expire.job';
import { PulsPublishingService } from './puls-publishing.service';
import { PulsReader } from './puls.reader';
import { PulsService } from './puls.service';
import { PulsPost } from './puls-post.entity';

@Module({
  imports: [TypeOrmModule.forFeature([PulsPost]), QuotasModule],
  controllers: [PulsController],
  providers: [PulsCommands, PulsDrafts, PulsExpireJob, PulsPublishingService, PulsReader, PulsService],
  exports: [PulsCommands, PulsExpireJob, PulsPublishingService, PulsReader, PulsService],
})
export class PulsModule {}
