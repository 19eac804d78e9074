import { Global, Module } from '@nestjs/common';
import { PictureUploads } from './picture-uploads';
import { Uploads } from './uploads';

/** How files of people are received. */
@Global()
@Module({ providers: [Uploads, PictureUploads], exports: [Uploads, PictureUploads] })
export class UploadsModule {}
