import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreditsModule } from '../credits/credits.module';
import { EventsModule } from '../events/events.module';
import { IdentityModule } from '../identity/identity.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { SettleCancelledEvents } from './cancelled-events.reaction';
import { CheckIns } from './door/check-ins';
import { DoorLinksService } from './door-links.service';
import { DoorLinksController } from './door/door-links.controller';
import { DoorController } from './door/door.controller';
import { DoorService } from './door.service';
import { MyCodeController } from './door/my-code.controller';
import { MyCodeService } from './door/my-code.service';
import { CheckInController } from './organizing/check-in.controller';
import { NotifyAboutDeletedEvent } from './deleted-event.reaction';
import { EventPeopleReader } from './event-people.reader';
import { EventForViewerReader } from './event-for-viewer.reader';
import { JoinedDigestJob } from './joined-digest.job';
import { JoinController } from './joining/join.controller';
import { JoinPasswords } from './joining/join-passwords';
import { JoinService } from './join.service';
import { JoinSteps } from './joining/join-steps';
import { OffersSweepJob } from './offers-sweep.job';
import { OrganizerSteps } from './organizing/organizer-steps';
import { ParticipantsFileController } from './organizing/participants-file.controller';
import { ParticipantsController } from './organizing/participants.controller';
import { ParticipantsReader } from './organizing/participants.reader';
import { ParticipantsService } from './participants.service';
import { ParticipationCommands } from './participation.commands';
import { ParticipationReader } from './participation.reader';
import { Participation } from './record/participation.entity';
import { Participations } from './record/participations';
import { RelatedEventsController } from './record/related-events.controller';
import { EndOffers, LockEventsWithOffer, SettleAfterBlock, SettleSeats } from './seats-to-settle.reaction';
import { Ticket } from './tickets/ticket.entity';
import { TicketCodes } from './tickets/ticket-codes';
import { TicketsController } from './tickets/tickets.controller';
import { TicketsService } from './tickets.service';
import { WaitlistSeats } from './waitlist/waitlist-seats';

@Module({
  imports: [
    TypeOrmModule.forFeature([Participation, Ticket]),
    IdentityModule,
    EventsModule,
    CreditsModule,
    NotificationsModule,
    StatisticsModule,
  ],
  controllers: [
    RelatedEventsController,
    JoinController,
    ParticipantsController,
    ParticipantsFileController,
    CheckInController,
    DoorController,
    DoorLinksController,
    MyCodeController,
    TicketsController,
  ],
  providers: [
    CheckIns,
    DoorLinksService,
    DoorService,
    EventForViewerReader,
    EventPeopleReader,
    JoinPasswords,
    JoinService,
    JoinSteps,
    JoinedDigestJob,
    MyCodeService,
    OrganizerSteps,
    ParticipantsReader,
    ParticipantsService,
    ParticipationCommands,
    ParticipationReader,
    Participations,
    LockEventsWithOffer,
    OffersSweepJob,
    SettleAfterBlock,
    EndOffers,
    SettleCancelledEvents,
    SettleSeats,
    WaitlistSeats,
    NotifyAboutDeletedEvent,
    TicketCodes,
    TicketsService,
  ],
  exports: [
    DoorLinksService,
    DoorService,
    EventForViewerReader,
    EventPeopleReader,
    JoinService,
    JoinedDigestJob,
    OffersSweepJob,
    ParticipantsService,
    ParticipationCommands,
    ParticipationReader,
    TicketsService,
  ],
})
export class ParticipationModule {}
