import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module';
import { EventsModule } from '../events/events.module';
import { ExpensesModule } from '../expenses/expenses.module';
import { GalleryModule } from '../gallery/gallery.module';
import { GroupEventsModule } from '../group-events/group-events.module';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { ItineraryModule } from '../itinerary/itinerary.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { ParticipationModule } from '../participation/participation.module';
import { PostsModule } from '../posts/posts.module';
import { SeriesModule } from '../series/series.module';
import { ChangesController } from './changes.controller';
import { ChangesReader } from './changes.reader';
import { ChangesService } from './changes.service';
import { StreamsReader } from './streams.reader';
import { ChangesTail } from './live/changes-tail';
import { OpenRequestLimits } from './live/open-request-limits';
import { OpenResponses } from './live/open-responses';
import { StreamsService } from './live/streams.service';
import { WaitingService } from './live/waiting.service';
import { ObjectsReader } from './objects/objects.reader';
import { EntryObjects } from './objects/entry-objects';
import { SubjectStatesLoader } from './visibility/subject-states';

@Module({
  imports: [
    IdentityModule,
    GroupsModule,
    GroupEventsModule,
    EventsModule,
    NotificationsModule,
    ParticipationModule,
    SeriesModule,
    PostsModule,
    CommentsModule,
    ExpensesModule,
    GalleryModule,
    ItineraryModule,
  ],
  controllers: [ChangesController],
  providers: [
    SubjectStatesLoader,
    ChangesReader,
    ChangesService,
    ChangesTail,
    OpenRequestLimits,
    ObjectsReader,
    OpenResponses,
    StreamsReader,
    StreamsService,
    WaitingService,
    EntryObjects,
  ],
  exports: [ChangesReader, StreamsReader],
})
export class ChangesModule {}
