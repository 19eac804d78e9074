import { Injectable } from '@nestjs/common';
import { MediaFiles, type Stored } from '../media/media-files';
import { Pictures, type Picture } from '../media/pictures';
import { Uploads, type PendingUpload, type Upload } from './uploads';

/** Uploads of pictures, from receiving the body to storing the files. */
@Injectable()
export class PictureUploads {
  constructor(
    private readonly uploads: Uploads,
    private readonly pictures: Pictures,
    private readonly media: MediaFiles,
  ) {}

  /**
   * Receives the body, re-encodes and stores the pictures, and calls `work` with the pictures in the order of the body.
   * If `work` throws, the pictures are deleted. `work` must call `MediaFiles.keep` in its transaction.
   *
   * @throws Refusal 422 with an error at a field or at `body`, 413 if the body is too long, 408 if it is too slow
   * @throws ServiceBusy if too many bodies wait, or if the disk is full
   */
  receive<R>(pending: PendingUpload, work: (pictures: readonly Stored<Picture>[]) => Promise<R>): Promise<R> {
    return this.receiveWith(
      pending,
      () => undefined,
      (_nothing, pictures) => work(pictures),
    );
  }

  /** Like `receive`, for forms with texts. `read` validates the form before the first picture is decoded. */
  receiveWith<T extends object, Draft, R>(
    pending: PendingUpload<T>,
    read: (upload: Upload<T>) => Draft | Promise<Draft>,
    work: (draft: Draft, pictures: readonly Stored<Picture>[]) => Promise<R>,
  ): Promise<R> {
    return this.uploads.receive(pending, async (upload) => {
      const draft = await read(upload);
      const pictures = await this.pictures.makeAll(upload.files);
      return this.media.withStored(pictures, (stored) => work(draft, stored));
    });
  }
}
