import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { QuotasModule } from '../quotas/quotas.module';
import { Event } from './event.entity';
import { EventAccessPolicy } from './event-access.policy';
import { EventCreationService } from './event-creation.service';
import { EventGroupPolicy } from './event-group.policy';
import { EventImage } from './event-image.entity';
import { EventImagesCommands } from './event-images.commands';
import { EventImagesController } from './event-images.controller';
import { EventImagesService } from './event-images.service';
import { EventsCommands } from './events.commands';
import { EventsController } from './events.controller';
import { EventsReader } from './events.reader';
import { EventsService } from './events.service';
import { OccurrencesCommands } from './occurrences.commands';

@Module({
  imports: [TypeOrmModule.forFeature([Event, EventImage]), GroupsModule, IdentityModule, QuotasModule],
  controllers: [EventsController, EventImagesController],
  providers: [
    EventAccessPolicy, EventCreationService, EventGroupPolicy, EventImagesCommands, EventImagesService, EventsCommands, EventsReader,
    EventsService, OccurrencesCommands,
  ],
  exports: [EventAccessPolicy, EventImagesCommands, EventsCommands, EventsReader, OccurrencesCommands],
})
export class EventsModule {}
