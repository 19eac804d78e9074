import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { QuotasModule } from '../quotas/quotas.module';
import { Event } from './event.entity';
import { EventCreationService } from './event-creation.service';
import { EventGroup } from './event-group';
import { EventAccessPolicy } from './event-access.policy';
import { EventsCommands } from './events.commands';
import { EventsController } from './events.controller';
import { EventsReader } from './events.reader';
import { EventsService } from './events.service';
import { OccurrencesCommands } from './occurrences.commands';

@Module({
  imports: [TypeOrmModule.forFeature([Event]), GroupsModule, IdentityModule, QuotasModule],
  controllers: [EventsController],
  providers: [EventAccessPolicy, EventCreationService, EventGroup, EventsCommands, EventsReader, EventsService, OccurrencesCommands],
  exports: [EventAccessPolicy, EventsCommands, EventsReader, OccurrencesCommands],
})
export class EventsModule {}
