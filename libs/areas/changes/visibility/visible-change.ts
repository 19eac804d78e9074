import { isGone, type ChangeSubject, type ChangeType } from '#contract/changes';
import { mayRead, readsOwnEvents, SCOPES_OF_SUBJECT } from '#contract/scopes';
import { belongsToGroup } from '#contract/vocabulary';
import { isReadableNotice } from '../../notifications/notice-scopes.policy';
import type { ChangeRow } from './change-rows.query';
import { kindOf, type SubjectStates } from './subject-states';

/**
 * A row of the feed of changes as it is shown to one viewer: the type, the subject, the path in the API where the
 * viewer reads the subject or the list that contains it, and the account that made the change.
 */
export interface VisibleChange {
  readonly type: ChangeType;
  readonly subject: { readonly type: ChangeSubject; readonly name: SubjectName };
  readonly path: PathName;
  readonly byId: number | null;
}

/** The subject in paths: an id with its kind, or a text, for example a slug. */
export type SubjectName = { readonly kind: IdKind; readonly id: number } | { readonly text: string };
type IdKind = 'event' | 'series' | 'group' | 'comment' | 'expense' | 'payment' | 'photo' | 'notice';

/** A path whose ids are not encoded yet: `['/events/', { kind: 'event', id: 3 }, '/comments']`. */
export type PathName = readonly (string | SubjectName)[];

/**
 * Determines how a row is shown to the viewer; null if the row is not shown. There is one such function for each kind
 * of subject.
 */
type VisibilityRule = (row: ChangeRow, states: SubjectStates) => VisibleChange | null;

/**
 * CHG-5: as a rule, a row is shown if the viewer sees its subject now, or if the row reports that the subject is gone.
 * The functions below define the exceptions, for example counts of people whom the viewer does not see. If the scopes
 * of the token exclude the subject, the row is not shown.
 *
 * The topic of a row (`topic_id`) is the event, group or account whose followers get the row.
 */
export function visibleChange(row: ChangeRow, states: SubjectStates): VisibleChange | null {
  const visible = RULES[kindOf(row)](row, states);
  return visible && isReadable(row, visible, states) ? visible : null;
}

/** Whether the scopes of the viewer's token let the viewer read the subject (SCOPE-5). */
function isReadable(row: ChangeRow, { subject, path }: VisibleChange, { scopes }: SubjectStates): boolean {
  // With a scope for events, a person may read their own participation in the event. Only the row about this
  // participation has a Discover path (`participantChange`).
  const isOwnParticipation = subject.type === 'participant' && path[0] === DISCOVER_PATH;
  const type = isOwnParticipation ? 'event' : isNewInGroup(row) ? 'group' : subject.type;
  if (!mayRead(scopes, SCOPES_OF_SUBJECT[type])) return false;
  return subject.type !== 'notice' || isReadableNotice(scopes, row.subject_text);
}

const RULES: Record<ChangeSubject, VisibilityRule> = {
  event: eventChange,
  participant: participantChange,
  ticket: (row, states) =>
    partOfEvent(row, states, { list: '/tickets', name: { text: row.subject_text ?? '' }, needs: 'isOrganizer' }),
  expense: (row, states) => {
    // The deletion of a payment has no type of its own: it is an `expense.updated`. So the entry is shown even if the
    // payment no longer exists. The entry's path is the list of expenses, which exists as long as the event.
    const isPayment = row.subject_text === 'payment';
    return partOfEvent(row, states, {
      list: '/expenses',
      name: { kind: isPayment ? 'payment' : 'expense', id: Number(row.subject_id) },
      needs: 'takesPart',
      skipsExistence: isPayment,
    });
  },
  photo: (row, states) =>
    partOfEvent(row, states, {
      list: '/photos',
      name: { kind: 'photo', id: Number(row.subject_id) },
      needs: 'takesPart',
    }),
  itinerary: (row, states) =>
    partOfEvent(row, states, {
      list: '/itinerary',
      name: { kind: 'event', id: Number(row.subject_id) },
      needs: 'takesPart',
    }),
  comment: commentChange,
  group: groupChange,
  member: memberChange,
  series: (row, states) =>
    ownObjectChange(row, states, { kind: 'series', id: Number(row.subject_id) }, [
      '/series/',
      { kind: 'series', id: Number(row.subject_id) },
    ]),
  post: (row, states) =>
    ownObjectChange(row, states, { text: row.subject_text ?? '' }, ['/posts/', { text: row.subject_text ?? '' }]),
  notice: (row, states) => ownObjectChange(row, states, { kind: 'notice', id: Number(row.subject_id) }, ['/notices']),
};

/** Creates the entry that the viewer gets for a row, with this subject and this path. */
function entryOf(row: ChangeRow, subject: SubjectName, path: PathName): VisibleChange {
  return {
    type: row.type,
    subject: { type: kindOf(row), name: subject },
    path,
    byId: row.by_id === null ? null : Number(row.by_id),
  };
}

const DISCOVER_PATH = '/discover/events/';

/**
 * The path of an event: `/events/{id}` for the organizer, otherwise `/discover/events/{id}`. The path of a list of an
 * event (such as `/events/{id}/comments`) begins with `/events/{id}` for every reader, so the calling code passes
 * `true` for a list.
 */
function eventPath(id: number, isOrganizer: boolean): PathName {
  return [isOrganizer ? '/events/' : DISCOVER_PATH, { kind: 'event', id }];
}

/** Whether the row reports that an event is new in the list of a group's events (CHG-19). */
export function isNewInGroup(row: ChangeRow): boolean {
  return kindOf(row) === 'event' && row.subject_text === 'listed';
}

function eventChange(row: ChangeRow, { viewerId, scopes, events, groups }: SubjectStates): VisibleChange | null {
  const id = Number(row.subject_id);
  const subject = { kind: 'event', id } as const;
  if (isGone(row.type))
    return entryOf(row, subject, eventPath(id, Number(row.person_id) === viewerId && readsOwnEvents(scopes)));
  const event = events.get(id);
  if (isNewInGroup(row)) {
    const group = { kind: 'group', id: Number(row.topic_id) } as const;
    return event && belongsToGroup(groups.get(group.id)) ? entryOf(row, subject, ['/groups/', group, '/events']) : null;
  }
  // The `parent_id` of a change of the waitlist is a waitlist number. People with a higher number have moved up, and
  // only they see the entry.
  if (row.subject_text === 'waitlist' && !((event?.waitlistNumber ?? 0) > Number(row.parent_id))) return null;
  return event ? entryOf(row, subject, eventPath(id, event.isOrganizer && readsOwnEvents(scopes))) : null;
}

/** An entry that reports that the number of participants or members changed, without naming the person. */
function changedCount(
  type: 'event.updated' | 'group.updated',
  subject: ChangeSubject,
  name: SubjectName,
  path: PathName,
): VisibleChange {
  return { type, subject: { type: subject, name }, path, byId: null };
}

/**
 * Only the participant whom the row is about, and the organizer with a scope for participants, get an entry that names
 * this person. Everybody else with a relation to the event sees only that the number of participants has changed.
 */
function participantChange(row: ChangeRow, states: SubjectStates): VisibleChange | null {
  const id = Number(row.topic_id);
  const event = states.events.get(id);
  if (!event) return null;
  const isPersonConcerned = row.person_id !== null && Number(row.person_id) === states.viewerId;
  const seesParticipants = event.isOrganizer && mayRead(states.scopes, SCOPES_OF_SUBJECT.participant);
  if (seesParticipants || isPersonConcerned) {
    const person = states.people.get(Number(row.subject_id));
    if (!person || !(isGone(row.type) || states.exists(row))) return null;
    return entryOf(
      row,
      { text: person.slug },
      event.isOrganizer ? [...eventPath(id, true), '/participants'] : eventPath(id, false),
    );
  }
  if (!row.counted) return null;
  const path = eventPath(id, event.isOrganizer && readsOwnEvents(states.scopes));
  return changedCount('event.updated', 'event', { kind: 'event', id }, path);
}

interface EventPart {
  /** The end of the path of the list that contains the object: `/tickets`. */
  readonly list: string;
  readonly name: SubjectName;
  /** The relation to the event that a viewer must have to see the object. */
  readonly needs: 'isOrganizer' | 'takesPart';
  /** If true, the entry is shown without a check that the subject still exists. */
  readonly skipsExistence?: boolean;
}

/** A change of an object that belongs to an event, for example a ticket or a photo. */
function partOfEvent(
  row: ChangeRow,
  states: SubjectStates,
  { list, name, needs, skipsExistence = false }: EventPart,
): VisibleChange | null {
  const id = Number(row.topic_id);
  if (!states.events.get(id)?.[needs]) return null;
  if (!isGone(row.type) && !skipsExistence && !states.exists(row)) return null;
  return entryOf(row, name, [...eventPath(id, true), list]);
}

/** A comment on an event that the viewer follows (TOPICS in change-rows.query.ts), or on one of the viewer's posts. */
function commentChange(row: ChangeRow, states: SubjectStates): VisibleChange | null {
  const slug = row.parent_id === null ? null : states.posts.get(Number(row.parent_id));
  const isSeen = row.parent_id === null ? states.events.has(Number(row.topic_id)) : slug !== undefined;
  if (!isSeen || !(isGone(row.type) || states.exists(row))) return null;
  const subjectPath: PathName =
    typeof slug === 'string' ? ['/posts/', { text: slug }] : eventPath(Number(row.topic_id), true);
  return entryOf(row, { kind: 'comment', id: Number(row.subject_id) }, [...subjectPath, '/comments']);
}

function groupChange(row: ChangeRow, { groups }: SubjectStates): VisibleChange | null {
  const subject = { kind: 'group', id: Number(row.subject_id) } as const;
  return isGone(row.type) || groups.has(subject.id) ? entryOf(row, subject, ['/groups/', subject]) : null;
}

/**
 * Members see who joins and leaves. The owner and the person concerned also see invitations and requests. People who
 * are invited to the group or have asked to join it see only that the number of members has changed.
 */
function memberChange(row: ChangeRow, states: SubjectStates): VisibleChange | null {
  const group = { kind: 'group', id: Number(row.topic_id) } as const;
  const role = states.groups.get(group.id);
  if (role === undefined) return null;
  const path: PathName = belongsToGroup(role) ? ['/groups/', group, '/members'] : ['/groups/', group];
  if (role === 'owner' || Number(row.person_id) === states.viewerId || (belongsToGroup(role) && row.counted)) {
    const person = states.people.get(Number(row.subject_id));
    return person && (isGone(row.type) || states.exists(row)) ? entryOf(row, { text: person.slug }, path) : null;
  }
  return row.counted ? changedCount('group.updated', 'group', group, ['/groups/', group]) : null;
}

/** A change of the viewer's own object. The topic of such a change is the viewer's account. */
function ownObjectChange(
  row: ChangeRow,
  states: SubjectStates,
  name: SubjectName,
  path: PathName,
): VisibleChange | null {
  return isGone(row.type) || states.exists(row) ? entryOf(row, name, path) : null;
}
