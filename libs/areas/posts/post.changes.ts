import { isDeepStrictEqual } from 'node:util';
import { RICH_TEXT_TAGS } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { cleanHtml, hasVisibleText } from '#platform/text/html';
import type { UpdatePostDto } from './post.dto';
import type { Post } from './post.entity';

/** Returns the sanitized body. Throws 422 on `body` if nothing visible remains (POST-3). */
export function cleanBody(html: string): string {
  const clean = cleanHtml(html, RICH_TEXT_TAGS);
  if (!hasVisibleText(clean)) throw Refusal.invalid('body', 'empty_html');
  return clean;
}

/**
 * Copies the sent fields to the post, and returns whether anything has changed. The slug never changes.
 * @param eventId the id of the event that the post is about from now on; null for no event; undefined for no change
 */
export function changePost(
  post: Post,
  { title, categories, location, excerpt, body, status }: UpdatePostDto,
  eventId: number | null | undefined,
  now: Date,
): boolean {
  const before = { ...post };
  if (eventId !== undefined) post.eventId = eventId;
  if (title !== undefined) post.title = title;
  if (categories !== undefined) post.categories = categories;
  if (location !== undefined) post.location = location;
  if (excerpt !== undefined) post.excerpt = excerpt;
  if (body !== undefined) post.body = cleanBody(body);
  if (status !== undefined) post.setStatus(status, now);
  if (isDeepStrictEqual({ ...post }, before)) return false;
  post.updatedAt = now;
  return true;
}
