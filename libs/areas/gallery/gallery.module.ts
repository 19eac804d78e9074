import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { IdentityModule } from '../identity/identity.module';
import { DeleteGalleryFiles } from './delete-gallery-files.reaction';
import { GalleryController } from './gallery.controller';
import { GalleryPhoto } from './gallery-photo.entity';
import { GalleryPolicy } from './gallery.policy';
import { GalleryReader } from './gallery.reader';
import { GalleryService } from './gallery.service';
import { GalleryUploadService } from './gallery-upload.service';

@Module({
  imports: [TypeOrmModule.forFeature([GalleryPhoto]), IdentityModule, EventsModule],
  controllers: [GalleryController],
  providers: [DeleteGalleryFiles, GalleryPolicy, GalleryReader, GalleryService, GalleryUploadService],
  exports: [GalleryReader, GalleryService, GalleryUploadService],
})
export class GalleryModule {}
