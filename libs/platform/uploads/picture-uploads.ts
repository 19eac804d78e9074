import { Injectable } from '@nestjs/common';
import { MediaFiles, type Stored } from '../media/media-files';
import { Pictures, type Picture } from '../media/pictures';
import { Uploads, type PendingUpload, type Upload } from './uploads';

/** Uploads of pictures, from the stream to the storage. */
@Injectable()
export class PictureUploads {
  constructor(
    private readonly uploads: Uploads,
    private readonly pictures: Pictures,
    private readonly media: MediaFiles,
  ) {}

  /**
   * Receives the body, re-encodes the pictures, stores them and runs the work with them, in their order. They are
   * deleted if the work throws; it must call `MediaFiles.keep` in its transaction.
   * @throws Refusal 422 on a field or `body`, 413 above the hard cap
   */
  receive<R>(pending: PendingUpload, work: (pictures: readonly Stored<Picture>[]) => Promise<R>): Promise<R> {
    return this.receiveWith(
      pending,
      () => undefined,
      (_nothing, pictures) => work(pictures),
    );
  }

  /** Like `receive`, for forms with texts: `read` validates them before a picture is decoded. */
  receiveWith<T extends object, Draft, R>(
    pending: PendingUpload<T>,
    read: (upload: Upload<T>) => Draft,
    work: (draft: Draft, pictures: readonly Stored<Picture>[]) => Promise<R>,
  ): Promise<R> {
    return this.uploads.receive(pending, async (upload) => {
      const draft = read(upload);
      const pictures = await this.pictures.makeAll(upload.files);
      return this.media.withStored(pictures, (stored) => work(draft, stored));
    });
  }
}
