import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { MessagesModule } from '../messages/messages.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { PeopleModule } from '../people/people.module';
import { PostsModule } from '../posts/posts.module';
import { PulsModule } from '../puls/puls.module';
import { QuotasModule } from '../quotas/quotas.module';
import { ContentCommands } from './content.commands';
import { DecisionEffects } from './decisions/decision-effects';
import { DecisionNotices } from './decisions/decision-notices';
import { DecisionRecords } from './decisions/decision-records';
import { OpenReports } from './decisions/open-reports';
import { DecisionsService } from './decisions.service';
import { BansLiftJob } from './bans-lift.job';
import { ObjectionsService } from './objections.service';
import { ModerationQueue } from './moderation-queue.reader';
import { ContentDecisions } from './content-decisions';
import { RemovedContent } from './removed-content';
import { RemovedDeleteJob } from './removed-delete.job';
import { ReportAnswersSource } from './report-answers.source';
import { AnonymousReportsService } from './anonymous-reports.service';
import { ReportsController } from './reports/reports.controller';
import { ReportsService } from './reports.service';
import { ReportSubjects } from './reports/subjects';

@Module({
  imports: [
    QuotasModule,
    IdentityModule,
    NotificationsModule,
    EventsModule,
    GroupsModule,
    MessagesModule,
    PeopleModule,
    PostsModule,
    PulsModule,
  ],
  controllers: [ReportsController],
  providers: [
    BansLiftJob,
    ContentCommands,
    ContentDecisions,
    DecisionEffects,
    DecisionNotices,
    DecisionRecords,
    DecisionsService,
    ModerationQueue,
    ObjectionsService,
    OpenReports,
    RemovedContent,
    RemovedDeleteJob,
    ReportAnswersSource,
    ReportsService,
    ReportSubjects,
    AnonymousReportsService,
  ],
  exports: [
    BansLiftJob,
    ContentDecisions,
    RemovedDeleteJob,
    ContentCommands,
    DecisionsService,
    ModerationQueue,
    ObjectionsService,
    ReportsService,
    AnonymousReportsService,
  ],
})
export class ModerationModule {}
