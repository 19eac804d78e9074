import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import { Refusal } from '#platform/http/refusal';
import type { PendingUpload } from '#platform/uploads/uploads';
import { WireFormat } from '#platform/http/wire-format';
import type { MediaKey } from '#platform/storage/media-key';
import type { Caller } from '../identity/caller.reader';
import { draftOf, type CreateCommentDto } from './comment.dto';
import { commentResource, type CommentResource } from './comment.resource';
import { CommentsCommands } from './comments.commands';
import type { NamedSubject, SeenSubject } from './subject';
import { Subjects } from './subjects';

/** A valid comment without its image. */
interface Draft {
  readonly body: string | null;
  readonly parentId: number | null;
}

/** Adds comments (CMT-4, CMT-5). */
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
   * Throws the first of these errors that applies: the errors of `Subjects.visible`, 403 `comment_forbidden`, 422 for
   * an invalid field, 422 `parent_invalid`, 429 `rate_limited`, 422 for an image that cannot be decoded. The rights are
   * checked before the request body is read, because reading can take minutes. The limit is checked before the image is
   * decoded. Then rights, parent and limit are checked again under the lock of the subject.
   */
  async addComment(
    caller: Caller,
    named: NamedSubject,
    pending: PendingUpload<CreateCommentDto>,
  ): Promise<CommentResource> {
    const seen = await this.admit(caller, named);
    return this.uploads.receiveWith(
      pending,
      (upload) => this.readDraft(caller, seen, upload, upload.file('image') !== null),
      (draft, [image]) => this.storeComment(caller, seen, draft, image?.key ?? null),
    );
  }

  /**
   * Like `addComment`, for a form of the web pages. `image` is the picture that was sent with the form and is already
   * stored; null if the form has no picture.
   */
  async addWithImage(
    caller: Caller,
    named: NamedSubject,
    input: Input<CreateCommentDto>,
    image: MediaKey | null,
  ): Promise<CommentResource> {
    const seen = await this.admit(caller, named);
    return this.storeComment(caller, seen, await this.readDraft(caller, seen, input, image !== null), image);
  }

  /** Throws the errors of `Subjects.visible`, and 403 `comment_forbidden`. */
  async admit(caller: Caller, named: NamedSubject): Promise<SeenSubject> {
    const seen = await this.subjects.visible(this.database, named, caller.id);
    refuseUnlessAllowed(seen);
    return seen;
  }

  private async readDraft(
    caller: Caller,
    seen: SeenSubject,
    input: Pick<Input<CreateCommentDto>, 'read'>,
    hasImage: boolean,
  ): Promise<Draft> {
    const { body, parent } = draftOf(input, hasImage);
    const parentId = parent === null ? null : this.parentId(parent);
    await this.commands.refuseEarly(this.database, seen, { authorId: caller.id, parentId });
    return { body, parentId };
  }

  private storeComment(
    caller: Caller,
    seen: SeenSubject,
    draft: Draft,
    imageKey: MediaKey | null,
  ): Promise<CommentResource> {
    return this.database.transaction(async (tx) => {
      const subject = await this.subjects.lockVisible(tx, seen, caller.id);
      refuseUnlessAllowed(subject);
      const comment = await this.commands.addComment(tx, subject, { authorId: caller.id, imageKey, ...draft });
      return commentResource(comment, caller, caller, this.wire);
    });
  }

  /** Decodes the id of a parent. An invalid id is refused in the same way as the id of a comment on another subject. */
  private parentId(hashid: string): number {
    const id = this.wire.ids.decode('comment', hashid);
    if (id === null) throw new Refusal('parent_invalid');
    return id;
  }
}

function refuseUnlessAllowed({ mayComment }: SeenSubject): void {
  if (!mayComment) throw new Refusal('comment_forbidden');
}
