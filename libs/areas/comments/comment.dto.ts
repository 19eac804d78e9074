import { LIMITS } from '#contract/limits';
import { HashidField, TextField } from '#platform/http/fields';
import { Refusal } from '#platform/http/refusal';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { Upload } from '#platform/uploads/uploads';
import { isVisible } from '#platform/text/characters';
import { plainText } from '#platform/text/html';

const { comments } = LIMITS;

/** Body of POST …/comments (CMT-2). */
export class CreateCommentDto {
  @TextField({ ...comments.body, description: 'plain text; HTML tags are removed. A text or an image is required' })
  body?: string | null;

  @HashidField({ nullable: true, description: 'the comment to which this is a reply' })
  parent?: string | null;
}

/** The body of the request is JSON or multipart; only multipart can contain an image. */
export const NEW_COMMENT: UploadRules<CreateCommentDto> = {
  files: { image: { maxBytes: comments.image_bytes } },
  fields: CreateCommentDto,
  orJson: true,
};

/** The text of a sent comment, without tags, and its parent. */
interface CommentDraft {
  readonly body: string | null;
  /** The hashid as sent; it is not decoded or checked yet. */
  readonly parent: string | null;
}

/** Throws 422 for an invalid field. Without an image and without visible text, throws 422 for `body`. */
export function draftOf(input: Pick<Upload<CreateCommentDto>, 'read'>, hasImage: boolean): CommentDraft {
  const { body: sent = null, parent = null } = input.read();
  const body = sent === null ? null : visibleTextOf(sent);
  if (body === null && !hasImage) throw Refusal.invalid('body', 'one_required', { fields: 'body, image' });
  return { body, parent };
}

/** The text without tags; null if nothing visible remains. */
function visibleTextOf(body: string): string | null {
  const text = plainText(body);
  return isVisible(text) ? text : null;
}
