/**
 * The subjects of `GET /changes`. A payment is not a subject: a new or deleted payment is reported as
 * `expense.updated`.
 */
export const CHANGE_SUBJECTS = [
  'event',
  'series',
  'group',
  'post',
  'comment',
  'expense',
  'photo',
  'itinerary',
  'participant',
  'member',
  'ticket',
  'notice',
] as const;
export type ChangeSubject = (typeof CHANGE_SUBJECTS)[number];

/** The values of the parameter `include` of `GET /changes`. */
export const CHANGE_INCLUDES = ['subject'] as const;
export type ChangeInclude = (typeof CHANGE_INCLUDES)[number];

/** The types of changes, in the order of their subjects. */
export const CHANGE_TYPES = [
  'event.created',
  'event.updated',
  'event.cancelled',
  'event.gone',
  'series.created',
  'series.updated',
  'series.gone',
  'group.created',
  'group.updated',
  'group.gone',
  'post.created',
  'post.updated',
  'post.gone',
  'comment.created',
  'comment.updated',
  'comment.gone',
  'expense.created',
  'expense.updated',
  'expense.gone',
  'photo.created',
  'photo.updated',
  'photo.gone',
  'itinerary.created',
  'itinerary.updated',
  'itinerary.gone',
  'participant.created',
  'participant.joined',
  'participant.updated',
  'participant.gone',
  'member.created',
  'member.updated',
  'member.gone',
  'ticket.created',
  'ticket.updated',
  'ticket.gone',
  'notice.created',
  'notice.updated',
  'notice.gone',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Whether the type reports that its subject was deleted or is no longer visible. */
export function isGone(type: ChangeType): boolean {
  return type.endsWith('.gone');
}
