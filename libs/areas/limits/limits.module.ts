import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { CommentsModule } from '../comments/comments.module';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { ParticipationModule } from '../participation/participation.module';
import { PeopleModule } from '../people/people.module';
import { PulsModule } from '../puls/puls.module';
import { QuotasModule } from '../quotas/quotas.module';
import { SeriesModule } from '../series/series.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AccountUsages } from './account-usages';
import { LimitsController } from './limits.controller';
import { LimitsService } from './limits.service';

@Module({
  imports: [
    ChangesModule,
    IdentityModule,
    QuotasModule,
    GroupsModule,
    ParticipationModule,
    SeriesModule,
    CommentsModule,
    PeopleModule,
    PulsModule,
    WebhooksModule,
  ],
  controllers: [LimitsController],
  providers: [AccountUsages, LimitsService],
})
export class LimitsModule {}
