import { readsOwnEvents, type Scope } from '#contract/scopes';
import type { WireFormat } from '#platform/http/wire-format';
import type { NoticeRow } from './notice.query';
import type { NoticeKind } from './notice.texts';

/** The columns of a notice that determine the paths to its subject. */
export type NoticeTarget = Pick<NoticeRow, 'kind' | 'subject_type' | 'subject_id' | 'event_id' | 'words'>;

/** Kinds of notices that only the organizer of an event gets. */
const ORGANIZER_KINDS: ReadonlySet<NoticeKind> = new Set(['request', 'joined', 'waitlisted']);

/** The list of the reader's notices. A notice links to it if the subject has no page that the reader can see. */
export const NOTICES_PAGE = '/account/notices';

/** Whether the notice is for the organizer of an event. The page of such a notice is the event's list of people. */
export function isForOrganizer({ kind, subject_type }: Pick<NoticeTarget, 'kind' | 'subject_type'>): boolean {
  return subject_type === 'event' && ORGANIZER_KINDS.has(kind);
}

/** The path below `/api/v1` at which a reader with these scopes finds the subject. */
export function apiPathOf(
  { kind, subject_type, subject_id, event_id, words }: NoticeTarget,
  scopes: readonly Scope[],
  wire: WireFormat,
): string {
  const id = wire.id(subject_type, subject_id);
  switch (subject_type) {
    case 'webhook':
      return `/webhooks/${id}`;
    case 'report':
      return '/reports';
    // The API has no address for a decision or a connected app: the notice itself shows the decision, and connected
    // apps are managed on pages.
    case 'decision':
    case 'app':
      return '/notices';
    case 'group':
      return `/groups/${id}`;
    case 'comment':
      return event_id === null ? `/posts/${words.post}/comments` : `/events/${wire.id('event', event_id)}/comments`;
    // Only the organizer can read the list of messages, so the path is the path of the event.
    case 'message':
      return `/discover/events/${wire.idOrNull('event', event_id)}`;
    case 'event':
      return ORGANIZER_KINDS.has(kind) && readsOwnEvents(scopes) ? `/events/${id}` : `/discover/events/${id}`;
  }
}

/** Path of the web page where the reader sees the subject, or acts on it. */
export function pagePathOf(
  { kind, subject_type, subject_id, event_id, words }: NoticeTarget,
  wire: WireFormat,
): string {
  const id = wire.id(subject_type, subject_id);
  switch (subject_type) {
    case 'webhook':
      return `/account/api/webhooks/${id}`;
    case 'report':
      return '/account/reports';
    case 'app':
      return '/account/apps';
    case 'decision':
      return `/account/decisions/${id}`;
    case 'group':
      return kind === 'group_request' ? `/groups/${id}/members` : `/groups/${id}`;
    case 'comment':
      return `${event_id === null ? `/posts/${words.post}` : `/events/${wire.id('event', event_id)}`}#comments`;
    case 'message':
      return `/events/${wire.idOrNull('event', event_id)}`;
    case 'event':
      // A deleted event has no page. A person who is banned from an event cannot see the page of the event.
      if (kind === 'event_deleted' || words.banned !== undefined) return NOTICES_PAGE;
      return isForOrganizer({ kind, subject_type }) ? `/events/${id}/people` : `/events/${id}`;
  }
}
