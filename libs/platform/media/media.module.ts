import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { openStorage } from '../storage/open-storage';
import { Storage } from '../storage/storage';
import { Ffmpeg } from './ffmpeg';
import { MediaFiles } from './media-files';
import { MediaSweepJob } from './media-sweep.job';
import { Pictures } from './pictures';
import { Scratch } from './scratch';
import { Videos } from './videos';

/** The module that converts users' pictures and videos, stores their files, and records the files in `media_files`. */
@Global()
@Module({
  providers: [
    { provide: Storage, inject: [Settings], useFactory: (settings: Settings) => openStorage(settings) },
    { provide: Scratch, inject: [Settings], useFactory: ({ dataDir }: Settings) => new Scratch(join(dataDir, 'tmp')) },
    { provide: Ffmpeg, inject: [Settings], useFactory: (settings: Settings) => new Ffmpeg(settings) },
    MediaFiles,
    MediaSweepJob,
    Pictures,
    Videos,
  ],
  exports: [Storage, Scratch, Ffmpeg, MediaFiles, MediaSweepJob, Pictures, Videos],
})
export class MediaModule {}
