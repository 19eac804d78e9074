import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import { Refusal } from '#platform/http/refusal';
import type { PendingUpload } from '#platform/uploads/uploads';
import { WireFormat } from '#platform/http/wire-format';
import type { MediaKey } from '#platform/storage/media-key';
import type { Caller } from '../identity/caller.reader';
import { draftOf, type CommentDraft, type CreateCommentDto } from './comment.dto';
import { commentResource, type CommentResource } from './comment.resource';
import { CommentsCommands } from './comments.commands';
import type { NamedSubject, SeenSubject } from './subject';
import { Subjects } from './subjects';

/** Writing comments (CMT-4, CMT-5). */
@Injectable()
export class NewCommentsService {
  constructor(
    private readonly database: Database,
    private readonly uploads: PictureUploads,
    private readonly subjects: Subjects,
    private readonly commands: CommentsCommands,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Throws the first of these that applies: the errors of `Subjects.visible`, 403 `comment_forbidden`, 429
   * `rate_limited`, 422 for the body. The rights and the limit are checked before the body is read, because reading can
   * take minutes. After the reading, both are checked again under the lock of the subject.
   */
  async addComment(
    caller: Caller,
    named: NamedSubject,
    pending: PendingUpload<CreateCommentDto>,
  ): Promise<CommentResource> {
    const seen = await this.admit(caller, named);
    return this.uploads.receiveWith(
      pending,
      (upload) => draftOf(upload, upload.file('image') !== null),
      (draft, [image]) => this.write(caller, seen, draft, image?.key ?? null),
    );
  }

  /** Like `addComment`, for a picture that was sent with a form of the web pages and is already stored. */
  async addWithImage(
    caller: Caller,
    named: NamedSubject,
    input: Input<CreateCommentDto>,
    image: MediaKey | null,
  ): Promise<CommentResource> {
    const seen = await this.admit(caller, named);
    return this.write(caller, seen, draftOf(input, image !== null), image);
  }

  private async admit(caller: Caller, named: NamedSubject): Promise<SeenSubject> {
    const seen = await this.subjects.visible(this.database, named, caller.id);
    refuseUnlessAllowed(seen);
    await this.commands.refuseWhenFull(this.database, caller.id);
    return seen;
  }

  private write(
    caller: Caller,
    seen: SeenSubject,
    { body, parent }: CommentDraft,
    imageKey: MediaKey | null,
  ): Promise<CommentResource> {
    return this.database.transaction(async (tx) => {
      const subject = await this.subjects.lockVisible(tx, seen, caller.id);
      refuseUnlessAllowed(subject);
      const parentId = parent === null ? null : this.parentId(parent);
      const comment = await this.commands.addComment(tx, subject, { authorId: caller.id, body, imageKey, parentId });
      return commentResource(comment, caller, caller, this.wire);
    });
  }

  /** An invalid id is refused in the same way as the id of a comment on another subject. */
  private parentId(hashid: string): number {
    const id = this.wire.ids.decode('comment', hashid);
    if (id === null) throw new Refusal('parent_invalid');
    return id;
  }
}

function refuseUnlessAllowed({ mayComment }: SeenSubject): void {
  if (!mayComment) throw new Refusal('comment_forbidden');
}
