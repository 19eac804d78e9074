import { Module } from '@nestjs/common';
import { AppsModule } from '#areas/apps/apps.module';
import { CalendarsModule } from '#areas/calendars/calendars.module';
import { CommentsModule } from '#areas/comments/comments.module';
import { DiscoverModule } from '#areas/discover/discover.module';
import { EventsModule } from '#areas/events/events.module';
import { GalleryModule } from '#areas/gallery/gallery.module';
import { ExpensesModule } from '#areas/expenses/expenses.module';
import { GroupEventsModule } from '#areas/group-events/group-events.module';
import { GroupsModule } from '#areas/groups/groups.module';
import { IdentityModule } from '#areas/identity/identity.module';
import { ItineraryModule } from '#areas/itinerary/itinerary.module';
import { MessagesModule } from '#areas/messages/messages.module';
import { ModerationModule } from '#areas/moderation/moderation.module';
import { NotificationsModule } from '#areas/notifications/notifications.module';
import { ParticipationModule } from '#areas/participation/participation.module';
import { PeopleModule } from '#areas/people/people.module';
import { PostsModule } from '#areas/posts/posts.module';
import { PushModule } from '#areas/push/push.module';
import { PulsModule } from '#areas/puls/puls.module';
import { SecondStepModule } from '#areas/second-step/second-step.module';
import { StatisticsModule } from '#areas/statistics/statistics.module';
import { SeriesModule } from '#areas/series/series.module';
import { OwnDataModule } from '#areas/own-data/own-data.module';
import { AccountMailModule } from '#areas/account-mail/account-mail.module';
import { RequestsModule } from '#areas/requests/requests.module';
import { WebhooksModule } from '#areas/webhooks/webhooks.module';
import { AccountLinks } from './account/account-links';
import { Accounts } from './account/accounts';
import { BlockPages } from './account/block.pages';
import { LinkPages } from './account/link.pages';
import { NoticePages } from './account/notice.pages';
import { NoticeChoicesService } from './account/notice-choices.service';
import { MyEventsPages } from './account/my-events.pages';
import { MyPostPages } from './account/my-post.pages';
import { ExpensePages } from './expenses/expense.pages';
import { ExpensesView } from './expenses/expenses-view';
import { PostEvents } from './posts/post-events';
import { PostFormPages } from './posts/post-form.pages';
import { ItineraryFormPages } from './organizer/itinerary-form.pages';
import { PulsFormPages } from './puls/puls-form.pages';
import { MyGroupPages } from './account/my-group.pages';
import { OwnReportPages } from './account/own-report.pages';
import { OwnDataPages } from './account/own-data.pages';
import { ProfilePages } from './account/profile.pages';
import { ProfileService } from './account/profile.service';
import { OwnPassword } from './account/own-password';
import { RequestPages } from './account/request.pages';
import { PushPages, PushWorkerPages } from './account/push.pages';
import { PushView } from './account/push-view';
import { SecondStepPages } from './account/second-step.pages';
import { SecondStepService } from './account/second-step.service';
import { SecondStepView } from './account/second-step.view';
import { SignInStepsService } from './account/sign-in-steps.service';
import { SecurityPages } from './account/security.pages';
import { SessionPages } from './account/session.pages';
import { SignInStepPages } from './account/sign-in-step.pages';
import { SignInStepView } from './account/sign-in-step.view';
import { SignInView } from './account/sign-in.view';
import { SignInAttempts } from './account/sign-in-attempts';
import { SignInPages } from './account/sign-in.pages';
import { SignIns } from './account/sign-ins';
import { TokenPages } from './account/token.pages';
import { OwnTokensService } from './account/own-tokens.service';
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
import { DoorLinkPages } from './door/door-link.pages';
import { DoorPages } from './door/door.pages';
import { TicketPages } from './door/ticket.pages';
import { EmbedPages } from './embed/embed.pages';
import { OembedPages } from './embed/oembed.pages';
import { CardPages, DrawingPages } from './cards/card.pages';
import { Cards } from './cards/cards';
import { FeedPages } from './feeds/feed.pages';
import { ErrorPages } from './error-pages';
import { ExpiredForms } from './form/expired-forms';
import { FormRunner } from './form/form-runner';
import { FormKeys } from './form/form-keys';
import { FormPages } from './form/form-pages';
import { FormTokens } from './form/form-tokens';
import { DoorLinkListPages } from './door/door-link-list.pages';
import { EventEditPages } from './organizer/event-edit.pages';
import { ImportFetch } from './import/import-fetch';
import { ImportFiles } from './import/import-files';
import { ImportPages } from './import/import.pages';
import { NewEventView } from './organizer/new-event.view';
import { MessagePages } from './organizer/message.pages';
import { PeoplePages } from './organizer/people.pages';
import { PeopleView } from './organizer/people.view';
import { PeopleSearch } from './people-search';
import { SeriesEditPages } from './organizer/series-edit.pages';
import { TicketCodePages } from './organizer/ticket-codes.pages';
import { PlacePages } from './places/place.pages';
import { Pages } from './pages';
import { WellKnownPages } from './site/well-known.pages';
import { EventActionsReader } from './public/event-actions';
import { EventPageSections } from './public/event-page-sections';
import { EventTiles } from './public/event-tiles';
import { EventView } from './public/event-view';
import { EventPages } from './public/event.pages';
import { ExplorePages } from './public/explore.pages';
import { GroupInvitations } from './groups/group-invitations';
import { GroupFormPages } from './groups/group-form.pages';
import { GroupView } from './groups/group-view';
import { GroupPages } from './groups/group.pages';
import { MembersView } from './groups/members-view';
import { MembersPages } from './groups/members.pages';
import { MembershipPages } from './groups/membership.pages';
import { Going } from './public/going';
import { JoiningPages } from './public/joining.pages';
import { PersonPages } from './public/person.pages';
import { PostView } from './public/post-view';
import { PostPages } from './public/post.pages';
import { RelatedContent } from './public/related-content';
import { PulsPages } from './public/puls.pages';
import { SeriesPages } from './public/series.pages';
import { PublicPeople } from './public/public-people';
import { StatisticsPages } from './statistics/statistics.pages';
import { VisibleEvents } from './public/visible-events';
import { VisibleGroups } from './groups/visible-groups';
import { DecisionPages } from './moderation/decision.pages';
import { ObjectionPages } from './moderation/objection.pages';
import { CommentPages } from './talk/comment.pages';
import { PhotoPages } from './talk/photo.pages';
import { QueuePages } from './moderation/queue.pages';
import { ReportPages } from './moderation/report.pages';
import { Snapshots } from './moderation/snapshot';
import { Readers } from './readers';
import { LanguagePages } from './site/language.pages';
import { ManifestPages } from './site/manifest.pages';
import { OperatorTexts } from './site/operator-texts';
import { OperatorPages } from './site/operator.pages';
import { SitePages } from './site/site.pages';
import { AssetPages } from './site/asset.pages';

/** The controllers of the pages, and the providers that they need. `preparePages` prepares the server for the pages. */
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
    PushModule,
    ExpensesModule,
    GroupEventsModule,
    GroupsModule,
    EventsModule,
    ParticipationModule,
    PeopleModule,
    PostsModule,
    SeriesModule,
    StatisticsModule,
    ItineraryModule,
    CalendarsModule,
    CommentsModule,
    GalleryModule,
    WebhooksModule,
    RequestsModule,
    ModerationModule,
    MessagesModule,
  ],
  controllers: [
    AssetPages,
    SitePages,
    LanguagePages,
    ManifestPages,
    OperatorPages,
    WellKnownPages,
    SignInPages,
    SessionPages,
    ProfilePages,
    TokenPages,
    NoticePages,
    PushPages,
    PushWorkerPages,
    LinkPages,
    SecurityPages,
    OwnDataPages,
    UnsubscribePages,
    WebhookPages,
    ConsentPages,
    DevicePages,
    ConnectedAppPages,
    OwnAppPages,
    SignInStepPages,
    RequestPages,
    SecondStepPages,
    PlacePages,
    ImportPages,
    EventEditPages,
    PeoplePages,
    MessagePages,
    DoorLinkListPages,
    SeriesEditPages,
    TicketCodePages,
    EventPages,
    JoiningPages,
    ExplorePages,
    MyEventsPages,
    SeriesPages,
    PulsPages,
    GroupFormPages,
    GroupPages,
    MembershipPages,
    MembersPages,
    MyGroupPages,
    MyPostPages,
    PostFormPages,
    ExpensePages,
    ItineraryFormPages,
    PulsFormPages,
    BlockPages,
    OwnReportPages,
    PostPages,
    CommentPages,
    PhotoPages,
    PersonPages,
    CalendarPages,
    FeedPages,
    DoorLinkPages,
    EmbedPages,
    DrawingPages,
    CardPages,
    OembedPages,
    DoorPages,
    StatisticsPages,
    TicketPages,
    QueuePages,
    ObjectionPages,
    DecisionPages,
    ReportPages,
  ],
  providers: [
    NewEventView,
    ImportFetch,
    ImportFiles,
    PeopleView,
    PeopleSearch,
    FormRunner,
    FormKeys,
    FormPages,
    FormTokens,
    ExpiredForms,
    CalendarAttachments,
    Cards,
    NoticeChoicesService,
    PushView,
    Pages,
    OperatorTexts,
    ErrorPages,
    Readers,
    Accounts,
    SignInAttempts,
    SignIns,
    ProfileService,
    OwnTokensService,
    AccountLinks,
    OwnPassword,
    WebhookView,
    AppWords,
    Snapshots,
    OwnAppView,
    SignInStepsService,
    SignInStepView,
    SignInView,
    SecondStepService,
    SecondStepView,
    EventView,
    EventPageSections,
    EventActionsReader,
    Going,
    PostView,
    EventTiles,
    VisibleEvents,
    RelatedContent,
    VisibleGroups,
    GroupView,
    ExpensesView,
    PostEvents,
    MembersView,
    GroupInvitations,
    PublicPeople,
  ],
})
export class WebModule {}
