import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module';
import { EventsModule } from '../events/events.module';
import { IdentityModule } from '../identity/identity.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { Arrivals } from './arrivals';
import { SettleCancelledEvents } from './cancelled-events.reaction';
import { CheckInController } from './check-in.controller';
import { TellOfDeletedEvent } from './deleted-event.reaction';
import { EventForViewerReader } from './event-for-viewer.reader';
import { JoinController } from './join.controller';
import { JoinPasswords } from './join-passwords';
import { JoinService } from './join.service';
import { JoinSteps } from './join-steps';
import { OrganizerSteps } from './organizer-steps';
import { ParticipantsController } from './participants.controller';
import { ParticipantsReader } from './participants.reader';
import { ParticipantsService } from './participants.service';
import { ParticipationCommands } from './participation.commands';
import { ParticipationReader } from './participation.reader';
import { Participations } from './participations';
import { RelatedEventsController } from './related-events.controller';
import { TicketCodes } from './ticket-codes';
import { TicketsController } from './tickets.controller';
import { TicketsService } from './tickets.service';

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
