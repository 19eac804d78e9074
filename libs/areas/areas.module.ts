import { Module } from '@nestjs/common';
import { JobsModule } from '#platform/jobs/jobs.module';
import { SignalsModule } from '#platform/signals/signals';
import { AccountMailModule } from './account-mail/account-mail.module';
import { AppsModule } from './apps/apps.module';
import { ApplyModule } from './apply/apply.module';
import { CalendarsModule } from './calendars/calendars.module';
import { ChangesModule } from './changes/changes.module';
import { CommentsModule } from './comments/comments.module';
import { CreditsModule } from './credits/credits.module';
import { DiscoverModule } from './discover/discover.module';
import { EventsModule } from './events/events.module';
import { ExpensesModule } from './expenses/expenses.module';
import { GalleryModule } from './gallery/gallery.module';
import { GroupEventsModule } from './group-events/group-events.module';
import { GroupsModule } from './groups/groups.module';
import { IdentityModule } from './identity/identity.module';
import { ItineraryModule } from './itinerary/itinerary.module';
import { LimitsModule } from './limits/limits.module';
import { MessagesModule } from './messages/messages.module';
import { ModerationModule } from './moderation/moderation.module';
import { NotificationsModule } from './notifications/notifications.module';
import { OwnDataModule } from './own-data/own-data.module';
import { ParticipationModule } from './participation/participation.module';
import { PeopleModule } from './people/people.module';
import { PostsModule } from './posts/posts.module';
import { PulsModule } from './puls/puls.module';
import { PushModule } from './push/push.module';
import { QuotasModule } from './quotas/quotas.module';
import { RequestsModule } from './requests/requests.module';
import { SecondStepModule } from './second-step/second-step.module';
import { SeriesModule } from './series/series.module';
import { StatisticsModule } from './statistics/statistics.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { JOBS } from './jobs';
import { REACTIONS } from './reactions';

/** The areas in the order of libs/layers.json, from the lowest layer to the highest. Their controllers form the API. */
export const AREAS = [
  IdentityModule,
  AccountMailModule,
  SecondStepModule,
  QuotasModule,
  CreditsModule,
  GroupsModule,
  EventsModule,
  NotificationsModule,
  StatisticsModule,
  PushModule,
  AppsModule,
  ParticipationModule,
  MessagesModule,
  DiscoverModule,
  SeriesModule,
  GroupEventsModule,
  PostsModule,
  CommentsModule,
  ExpensesModule,
  PulsModule,
  GalleryModule,
  PeopleModule,
  ItineraryModule,
  ModerationModule,
  CalendarsModule,
  ChangesModule,
  WebhooksModule,
  RequestsModule,
  OwnDataModule,
  LimitsModule,
  ApplyModule,
];

/** All areas with their jobs and reactions, for the server and the operator's command line. */
@Module({
  imports: [SignalsModule.forRoot(REACTIONS), ...AREAS, JobsModule.forRoot({ imports: AREAS, jobs: JOBS })],
})
export class AreasModule {}
