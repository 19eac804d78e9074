import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { QuotasModule } from '../quotas/quotas.module';
import { Event } from './event.entity';
import { EventImage } from './event-image.entity';
import { EventImagesCommands } from './event-images.commands';
import { EventImagesController } from './event-images.controller';
import { EventImagesService } from './event-images.service';
import { EventAccessPolicy } from './event-access.policy';
import { EventsCommands } from './events.commands';
import { EventsController } from './events.controller';
import { EventsReader } from './events.reader';
import { EventsService } from './events.service';

@Module({
  imports: [TypeOrmModule.forFeature([Event, EventImage]), IdentityModule, QuotasModule],
  controllers: [EventsController, EventImagesController],
  providers: [EventAccessPolicy, EventImagesCommands, EventImagesService, EventsCommands, EventsReader, EventsService],
  exports: [EventAccessPolicy, EventImagesCommands, EventsCommands, EventsReader],
})
export class EventsModule {}
