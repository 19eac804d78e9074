import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { Uploads } from '#platform/http/uploads';
import { Pictures, type Picture } from '#platform/media/pictures';

/** One picture out of a form, made anew. */
@Injectable()
export class AvatarUpload {
  constructor(
    private readonly uploads: Uploads,
    private readonly pictures: Pictures,
  ) {}

  /** The picture is gone when the work is done. Throws 422 on `avatar`. */
  async receive(request: FastifyRequest, maxBytes: number, work: (picture: Picture) => Promise<void>): Promise<void> {
    await this.uploads.receive({ request, rules: { files: { avatar: { maxBytes, min: 1 } } } }, async (upload) => {
      const file = upload.file('avatar');
      if (!file) throw Refusal.invalid('avatar', 'required');
      await work(await this.pictures.make(file));
    });
  }
}
