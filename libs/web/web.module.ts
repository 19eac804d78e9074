import { Module } from '@nestjs/common';
import { AppsModule } from '#areas/apps/apps.module';
import { CalendarsModule } from '#areas/calendars/calendars.module';
import { CommentsModule } from '#areas/comments/comments.module';
import { DiscoverModule } from '#areas/discover/discover.module';
import { EventsModule } from '#areas/events/events.module';
import { GalleryModule } from '#areas/gallery/gallery.module';
import { GroupsModule } from '#areas/groups/groups.module';
import { IdentityModule } from '#areas/identity/identity.module';
import { ItineraryModule } from '#areas/itinerary/itinerary.module';
import { ModerationModule } from '#areas/moderation/moderation.module';
import { NotificationsModule } from '#areas/notifications/notifications.module';
import { ParticipationModule } from '#areas/participation/participation.module';
import { PeopleModule } from '#areas/people/people.module';
import { PostsModule } from '#areas/posts/posts.module';
import { PulsModule } from '#areas/puls/puls.module';
import { SecondStepModule } from '#areas/second-step/second-step.module';
import { SeriesModule } from '#areas/series/series.module';
import { OwnDataModule } from '#areas/own-data/own-data.module';
import { AccountMailModule } from '#areas/account-mail/account-mail.module';
import { WebhooksModule } from '#areas/webhooks/webhooks.module';
import { AccountLinks } from './account/account-links';
import { Accounts } from './account/accounts';
import { LinkPages } from './account/link.pages';
import { NoticePages } from './account/notice.pages';
import { NoticeSettings } from './account/notice.settings';
import { MyEventsPages } from './account/my-events.pages';
import { OwnDataPages } from './account/own-data.pages';
import { ProfilePages } from './account/profile.pages';
import { ProfileSettings } from './account/profile.settings';
import { OwnPassword } from './account/own-password';
import { SecondStepPages } from './account/second-step.pages';
import { SecondStepSettings } from './account/second-step.settings';
import { SecondStepView } from './account/second-step.view';
import { SecondSteps } from './account/second-steps';
import { SecurityPages } from './account/security.pages';
import { SessionPages } from './account/session.pages';
import { StepPages } from './account/step.pages';
import { SignInAttempts } from './account/sign-in-attempts';
import { SignInPages } from './account/sign-in.pages';
import { SignIns } from './account/sign-ins';
import { TokenPages } from './account/token.pages';
import { TokenSettings } from './account/token.settings';
import { WebhookPages } from './account/webhook.pages';
import { WebhookView } from './account/webhook.view';
import { UnsubscribePages } from './account/unsubscribe.pages';
import { AppWords } from './apps/app-words';
import { ConnectedAppPages } from './apps/connected-app.pages';
import { ConsentPages } from './apps/consent.pages';
import { DevicePages } from './apps/device.pages';
import { OwnAppPages } from './apps/own-app.pages';
import { OwnAppView } from './apps/own-app.view';
import { CalendarAttachments } from './calendars/calendar-attachments';
import { CalendarPages } from './calendars/calendar.pages';
import { DoorPages } from './door/door.pages';
import { TicketPages } from './door/ticket.pages';
import { FeedPages } from './feeds/feed.pages';
import { ErrorPages } from './failures';
import { Pages } from './pages';
import { WellKnownPages } from './well-known.pages';
import { EventSurroundings } from './public/event-surroundings';
import { EventTiles } from './public/event-tiles';
import { EventView } from './public/event-view';
import { EventPages } from './public/event.pages';
import { ExplorePages } from './public/explore.pages';
import { GroupInvitations } from './public/group-invitations';
import { GroupPages } from './public/group.pages';
import { JoiningPages } from './public/joining.pages';
import { PersonPages } from './public/person.pages';
import { PostPages } from './public/post.pages';
import { Hangings } from './public/hangings';
import { PulsPages } from './public/puls.pages';
import { SeriesPages } from './public/series.pages';
import { PublicPeople } from './public/public-people';
import { SeenEvents } from './public/seen-events';
import { SeenGroups } from './public/seen-groups';
import { DecisionPages } from './moderation/decision.pages';
import { ObjectionPages } from './moderation/objection.pages';
import { QueuePages } from './moderation/queue.pages';
import { ReportPages } from './moderation/report.pages';
import { Readers } from './readers';
import { SitePages } from './site.pages';
import { AssetPages } from './asset.pages';

/** Providers of the pages; `serveWeb` adds their routes. */
@Module({
  imports: [
    AppsModule,
    DiscoverModule,
    PulsModule,
    IdentityModule,
    AccountMailModule,
    OwnDataModule,
    SecondStepModule,
    NotificationsModule,
    GroupsModule,
    EventsModule,
    ParticipationModule,
    PeopleModule,
    PostsModule,
    SeriesModule,
    ItineraryModule,
    CalendarsModule,
    CommentsModule,
    GalleryModule,
    WebhooksModule,
    ModerationModule,
  ],
  controllers: [
    AssetPages,
    SitePages,
    WellKnownPages,
    SignInPages,
    SessionPages,
    ProfilePages,
    TokenPages,
    NoticePages,
    LinkPages,
    SecurityPages,
    OwnDataPages,
    UnsubscribePages,
    WebhookPages,
    ConsentPages,
    DevicePages,
    ConnectedAppPages,
    OwnAppPages,
    StepPages,
    SecondStepPages,
    EventPages,
    JoiningPages,
    ExplorePages,
    MyEventsPages,
    SeriesPages,
    PulsPages,
    GroupPages,
    PostPages,
    PersonPages,
    CalendarPages,
    FeedPages,
    DoorPages,
    TicketPages,
    QueuePages,
    ObjectionPages,
    DecisionPages,
    ReportPages,
  ],
  providers: [
    CalendarAttachments,
    NoticeSettings,
    Pages,
    ErrorPages,
    Readers,
    Accounts,
    SignInAttempts,
    SignIns,
    ProfileSettings,
    TokenSettings,
    AccountLinks,
    OwnPassword,
    WebhookView,
    AppWords,
    OwnAppView,
    SecondSteps,
    SecondStepSettings,
    SecondStepView,
    EventView,
    EventSurroundings,
    EventTiles,
    SeenEvents,
    Hangings,
    SeenGroups,
    GroupInvitations,
    PublicPeople,
  ],
})
export class WebModule {}
