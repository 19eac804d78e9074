import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { IdentityModule } from '../identity/identity.module';
import { DoomGalleryFiles } from './doom-gallery-files.reaction';
import { GalleryController } from './gallery.controller';
import { GalleryPhotos } from './gallery.photos';
import { GalleryPolicy } from './gallery.policy';
import { GalleryService } from './gallery.service';
import { GalleryUploadService } from './gallery-upload.service';

@Module({
  imports: [IdentityModule, EventsModule],
  controllers: [GalleryController],
  providers: [DoomGalleryFiles, GalleryPhotos, GalleryPolicy, GalleryService, GalleryUploadService],
})
export class GalleryModule {}
