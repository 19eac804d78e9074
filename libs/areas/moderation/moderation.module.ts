import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { GroupsModule } from '../groups/groups.module';
import { PostsModule } from '../posts/posts.module';
import { PulsModule } from '../puls/puls.module';
import { QuotasModule } from '../quotas/quotas.module';
import { ContentCommands } from './content.commands';
import { ReportsController } from './reports/reports.controller';
import { ReportsService } from './reports/reports.service';
import { ReportSubjects } from './reports/subjects';

@Module({
  imports: [QuotasModule, EventsModule, GroupsModule, PostsModule, PulsModule],
  controllers: [ReportsController],
  providers: [ContentCommands, ReportsService, ReportSubjects],
  exports: [ContentCommands],
})
export class ModerationModule {}
