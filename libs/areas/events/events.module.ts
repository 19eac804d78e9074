import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { QuotasModule } from '../quotas/quotas.module';
import { Event } from './event.entity';
import { EventAccessPolicy } from './event-access.policy';
import { EventImage } from './images/event-image.entity';
import { EventImagesCommands } from './event-images.commands';
import { EventImagesController } from './images/event-images.controller';
import { EventImagesService } from './event-images.service';
import { EventImportsCommands } from './event-imports.commands';
import { EventsCommands } from './events.commands';
import { EventsController } from './writing/events.controller';
import { EventsReader } from './events.reader';
import { EventsService } from './events.service';
import { OccurrencesCommands } from './occurrences.commands';

@Module({
  imports: [TypeOrmModule.forFeature([Event, EventImage]), GroupsModule, IdentityModule, QuotasModule],
  controllers: [EventsController, EventImagesController],
  providers: [
    EventAccessPolicy,
    EventImagesCommands,
    EventImagesService,
    EventImportsCommands,
    EventsCommands,
    EventsReader,
    EventsService,
    OccurrencesCommands,
  ],
  exports: [
    EventAccessPolicy,
    EventImagesCommands,
    EventImagesService,
    EventImportsCommands,
    EventsCommands,
    EventsReader,
    EventsService,
    OccurrencesCommands,
  ],
})
export class EventsModule {}
