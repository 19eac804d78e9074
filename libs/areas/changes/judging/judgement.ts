import { isGone, type ChangeSubject, type ChangeType } from '#contract/changes';
import type { ChangeRow } from './change-rows.query';
import type { JudgedThings } from './judged-things';

/** What one viewer is told of a row: the type for them, whom it names, and the API's path of what it speaks of. */
export interface VisibleChange {
  readonly type: ChangeType;
  readonly subject: { readonly type: ChangeSubject; readonly name: SubjectName };
  readonly path: PathName;
  readonly byId: number | null;
}

/** How a subject is named in paths: by an id of its kind, or by a text as it is. */
export type SubjectName = { readonly kind: IdKind; readonly id: number } | { readonly text: string };
type IdKind = 'event' | 'series' | 'group' | 'comment' | 'expense' | 'payment' | 'photo' | 'notice';

/** The path, with the ids in it still to be written: `['/events/', { kind: 'event', id: 3 }, '/comments']`. */
export type PathName = readonly (string | SubjectName)[];

/** What is told under an event or to a row's own account, by subject. Null: nothing. */
type Judge = (row: ChangeRow, things: JudgedThings) => VisibleChange | null;

/** CHG-4, CHG-5: what the viewer sees by now; of the rest only the end shows, and that only under their own account. */
export function judged(row: ChangeRow, things: JudgedThings): VisibleChange | null {
  return JUDGES[row.type.slice(0, row.type.indexOf('.')) as ChangeSubject](row, things);
}

const JUDGES: Record<ChangeSubject, Judge> = {
  event: judgeEvent,
  participant: judgeParticipant,
  ticket: (row, things) =>
    partOfEvent(row, things, { list: '/tickets', name: { text: row.subject_text ?? '' }, needs: 'isOrganizer' }),
  expense: (row, things) => {
    // A payment is told by the book it stands in, which is there as long as its event.
    const isPayment = row.subject_text === 'payment';
    return partOfEvent(row, things, {
      list: '/expenses',
      name: { kind: isPayment ? 'payment' : 'expense', id: Number(row.subject_id) },
      needs: 'takesPart',
      isThere: isPayment || undefined,
    });
  },
  photo: (row, things) =>
    partOfEvent(row, things, {
      list: '/photos',
      name: { kind: 'photo', id: Number(row.subject_id) },
      needs: 'takesPart',
    }),
  itinerary: (row, things) =>
    partOfEvent(row, things, {
      list: '/itinerary',
      name: { kind: 'event', id: Number(row.subject_id) },
      needs: 'takesPart',
    }),
  comment: judgeComment,
  group: judgeGroup,
  member: judgeMember,
  series: (row, things) =>
    own(row, things, { kind: 'series', id: Number(row.subject_id) }, [
      '/series/',
      { kind: 'series', id: Number(row.subject_id) },
    ]),
  post: (row, things) =>
    own(row, things, { text: row.subject_text ?? '' }, ['/posts/', { text: row.subject_text ?? '' }]),
  notice: (row, things) => own(row, things, { kind: 'notice', id: Number(row.subject_id) }, ['/notices']),
};

function visibleChange(row: ChangeRow, subject: SubjectName, path: PathName): VisibleChange {
  return {
    type: row.type,
    subject: { type: row.type.slice(0, row.type.indexOf('.')) as ChangeSubject, name: subject },
    path,
    byId: row.by_id === null ? null : Number(row.by_id),
  };
}

/** `/events/{id}` to its organizer, `/discover/events/{id}` to everybody else. */
function eventPath(id: number, isOrganizer: boolean): PathName {
  return [isOrganizer ? '/events/' : '/discover/events/', { kind: 'event', id }];
}

function judgeEvent(row: ChangeRow, { viewerId, events }: JudgedThings): VisibleChange | null {
  const id = Number(row.subject_id);
  const subject = { kind: 'event', id } as const;
  if (isGone(row.type)) return visibleChange(row, subject, eventPath(id, Number(row.person_id) === viewerId));
  const event = events.get(id);
  return event ? visibleChange(row, subject, eventPath(id, event.isOrganizer)) : null;
}

/** A change that shows in a number only: of whom is nobody's business. */
function changedNumber(
  type: 'event.updated' | 'group.updated',
  subject: ChangeSubject,
  name: SubjectName,
  path: PathName,
): VisibleChange {
  return { type, subject: { type: subject, name }, path, byId: null };
}

/** The organizer and the person are told who came or went; everybody else that the number has changed. */
function judgeParticipant(row: ChangeRow, things: JudgedThings): VisibleChange | null {
  const id = Number(row.topic_id);
  const event = things.events.get(id);
  if (!event) return null;
  const isThemselves = row.person_id !== null && Number(row.person_id) === things.viewerId;
  if (event.isOrganizer || isThemselves) {
    const person = things.people.get(Number(row.subject_id));
    if (!person || !(isGone(row.type) || things.isThere(row))) return null;
    return visibleChange(
      row,
      { text: person.slug },
      event.isOrganizer ? [...eventPath(id, true), '/participants'] : eventPath(id, false),
    );
  }
  return row.counted ? changedNumber('event.updated', 'event', { kind: 'event', id }, eventPath(id, false)) : null;
}

interface EventPart {
  readonly list: string;
  readonly name: SubjectName;
  readonly needs: 'isOrganizer' | 'takesPart';
  /** Known without asking. */
  readonly isThere?: boolean | undefined;
}

function partOfEvent(
  row: ChangeRow,
  things: JudgedThings,
  { list, name, needs, isThere }: EventPart,
): VisibleChange | null {
  const id = Number(row.topic_id);
  if (!things.events.get(id)?.[needs]) return null;
  if (!isGone(row.type) && !(isThere ?? things.isThere(row))) return null;
  return visibleChange(row, name, [...eventPath(id, true), list]);
}

/** On an event that concerns the viewer, or on a post of theirs. */
function judgeComment(row: ChangeRow, things: JudgedThings): VisibleChange | null {
  const slug = row.parent_id === null ? null : things.posts.get(Number(row.parent_id));
  const isSeen = row.parent_id === null ? things.events.has(Number(row.topic_id)) : slug !== undefined;
  if (!isSeen || !(isGone(row.type) || things.isThere(row))) return null;
  const above: PathName =
    typeof slug === 'string' ? ['/posts/', { text: slug }] : eventPath(Number(row.topic_id), true);
  return visibleChange(row, { kind: 'comment', id: Number(row.subject_id) }, [...above, '/comments']);
}

function judgeGroup(row: ChangeRow, { groups }: JudgedThings): VisibleChange | null {
  const subject = { kind: 'group', id: Number(row.subject_id) } as const;
  return isGone(row.type) || groups.has(subject.id) ? visibleChange(row, subject, ['/groups/', subject]) : null;
}

/** Who belongs to it is told of those who do; the founder and the person of whoever is to; everybody else of the number. */
function judgeMember(row: ChangeRow, things: JudgedThings): VisibleChange | null {
  const group = { kind: 'group', id: Number(row.topic_id) } as const;
  const role = things.groups.get(group.id);
  if (role === undefined) return null;
  const belongs = role === 'owner' || role === 'member';
  const path: PathName = belongs ? ['/groups/', group, '/members'] : ['/groups/', group];
  if (role === 'owner' || Number(row.person_id) === things.viewerId || (belongs && row.counted)) {
    const person = things.people.get(Number(row.subject_id));
    return person && (isGone(row.type) || things.isThere(row)) ? visibleChange(row, { text: person.slug }, path) : null;
  }
  return row.counted ? changedNumber('group.updated', 'group', group, ['/groups/', group]) : null;
}

/** What is the viewer's own, told under their account. */
function own(row: ChangeRow, things: JudgedThings, name: SubjectName, path: PathName): VisibleChange | null {
  return isGone(row.type) || things.isThere(row) ? visibleChange(row, name, path) : null;
}
