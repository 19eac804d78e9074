import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { PendingUpload, Upload } from '#platform/uploads/uploads';
import { WireFormat } from '#platform/http/wire-format';
import { MediaFiles } from '#platform/media/media-files';
import type { Picture } from '#platform/media/pictures';
import type { Video } from '#platform/media/videos';
import type { Caller } from '../identity/caller.reader';
import { PulsCommands } from './puls.commands';
import { PulsDrafts, type PulsDraft } from './puls.drafts';
import type { CreatePulsDto } from './puls.dto';
import { ownPulsResource, type PulsResource } from './puls.resource';
import type { PulsPost } from './puls-post.entity';

/** Creates the Puls posts that people send to the API or in a form of the web pages (PULS-5). */
@Injectable()
export class PulsPublishingService {
  constructor(
    private readonly database: Database,
    private readonly drafts: PulsDrafts,
    private readonly commands: PulsCommands,
    private readonly files: MediaFiles,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Creates a post from a request whose body has not been read yet. The checks have the order of PULS-5: validation,
   * `post_empty`, the daily limit, the limit of active posts. A video is converted only after these checks.
   */
  async create(caller: Caller, pending: PendingUpload<CreatePulsDto>): Promise<PulsResource> {
    return this.drafts.receive(pending, (draft) => this.publishDraft(caller, draft));
  }

  /** Like `create`, but with the fields and files of a web form, which the handler of the page has already read. */
  async createFrom(caller: Caller, upload: Pick<Upload<CreatePulsDto>, 'read' | 'file'>): Promise<PulsResource> {
    return this.publishDraft(caller, await this.drafts.read(upload));
  }

  private async publishDraft(caller: Caller, draft: PulsDraft): Promise<PulsResource> {
    await this.commands.refuseAtLimit(this.database, caller.id);
    const media = await this.mediaOf(draft, caller.id);
    const post = await this.publish(caller.id, draft, media);
    return ownPulsResource(post, caller, this.wire);
  }

  private async mediaOf({ picture, video }: PulsDraft, authorId: number): Promise<readonly (Picture | Video)[]> {
    if (video) return [await this.drafts.convert(video, authorId)];
    return picture ? [picture] : [];
  }

  private publish(authorId: number, draft: PulsDraft, media: readonly (Picture | Video)[]): Promise<PulsPost> {
    return this.files.withStored(media, ([stored]) => {
      const key = stored?.key ?? null;
      const content = { ...draft, imageKey: draft.picture && key, videoKey: draft.video && key };
      return this.database.transaction((tx) => this.commands.publish(tx, authorId, content));
    });
  }
}
