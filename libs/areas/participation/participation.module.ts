import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module';
import { EventsModule } from '../events/events.module';
import { IdentityModule } from '../identity/identity.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { Arrivals } from './joining/arrivals';
import { SettleCancelledEvents } from './cancelled-events.reaction';
import { CheckInController } from './organizing/check-in.controller';
import { TellOfDeletedEvent } from './deleted-event.reaction';
import { EventForViewerReader } from './event-for-viewer.reader';
import { JoinController } from './joining/join.controller';
import { JoinPasswords } from './joining/join-passwords';
import { JoinService } from './joining/join.service';
import { JoinSteps } from './joining/join-steps';
import { OrganizerSteps } from './organizing/organizer-steps';
import { ParticipantsController } from './organizing/participants.controller';
import { ParticipantsReader } from './organizing/participants.reader';
import { ParticipantsService } from './organizing/participants.service';
import { ParticipationCommands } from './participation.commands';
import { ParticipationReader } from './participation.reader';
import { Participations } from './record/participations';
import { RelatedEventsController } from './record/related-events.controller';
import { TicketCodes } from './tickets/ticket-codes';
import { TicketsController } from './tickets/tickets.controller';
import { TicketsService } from './tickets/tickets.service';

@Module({
  imports: [IdentityModule, EventsModule, CreditsModule, NotificationsModule],
  controllers: [RelatedEventsController, JoinController, ParticipantsController, CheckInController, TicketsController],
  providers: [
    Arrivals, EventForViewerReader, JoinPasswords, JoinService, JoinSteps, OrganizerSteps, ParticipantsReader, ParticipantsService,
    ParticipationCommands, ParticipationReader, Participations, SettleCancelledEvents, TellOfDeletedEvent,
    TicketCodes, TicketsService,
  ],
  exports: [EventForViewerReader, ParticipationCommands, ParticipationReader],
})
export class ParticipationModule {}
