import { Global, Module } from '@nestjs/common';
import { PictureUploads } from './picture-uploads';
import { Uploads } from './uploads';

/** Receives files from users. */
@Global()
@Module({ providers: [Uploads, PictureUploads], exports: [Uploads, PictureUploads] })
export class UploadsModule {}
