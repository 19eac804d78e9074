import { isGone } from '#contract/changes';
import { readsOwnEvents } from '#contract/scopes';
import { belongsToGroup } from '#contract/vocabulary';
import type { ChangeRow } from '../visibility/change-rows.query';
import type { SubjectStates } from '../visibility/subject-states';
import { isNewInGroup, type VisibleChange } from '../visibility/visible-change';

/**
 * Kinds of objects. Each kind has its own form of response. A participation is shown as an event to the participant,
 * and as a participant to the organizer.
 */
export type ObjectKind =
  | 'own_event'
  | 'event'
  | 'participant'
  | 'ticket'
  | 'expense'
  | 'payment'
  | 'photo'
  | 'itinerary'
  | 'comment'
  | 'group'
  | 'member'
  | 'group_event'
  | 'series'
  | 'post'
  | 'notice';

/** Identifies the object at the address (`subject.url`) of an entry of the feed. */
export interface ObjectName {
  readonly kind: ObjectKind;
  readonly id: number;
  /**
   * For a participant, the id of the event. For a member, and for an event in a group's list, the id of the group. For
   * all other objects 0.
   */
  readonly within: number;
}

/** The name of the object of a visible entry; null if the entry reports that its subject is gone. */
export function objectNameOf(row: ChangeRow, visible: VisibleChange, states: SubjectStates): ObjectName | null {
  if (isGone(visible.type)) return null;
  const { type, name } = visible.subject;
  const topic = Number(row.topic_id);
  const id = Number(row.subject_id);
  switch (type) {
    case 'series':
    case 'post':
    case 'comment':
    case 'photo':
    case 'itinerary':
    case 'ticket':
    case 'notice':
      return { kind: type, id, within: 0 };
    // Some viewers see an entry about a participant as a change of the event, and an entry about a member as a change
    // of the group. The `subject_id` of such a row is the person's id, so the id of the event or group is in `name`.
    case 'event':
      if (isNewInGroup(row)) return { kind: 'group_event', id, within: topic };
      return eventObject('kind' in name ? name.id : id, states);
    case 'participant':
      return states.events.get(topic)?.isOrganizer
        ? { kind: 'participant', id, within: topic }
        : eventObject(topic, states);
    case 'group':
      return { kind: 'group', id: 'kind' in name ? name.id : id, within: 0 };
    case 'member': {
      return belongsToGroup(states.groups.get(topic))
        ? { kind: 'member', id, within: topic }
        : { kind: 'group', id: topic, within: 0 };
    }
    case 'expense':
      return { kind: row.subject_text === 'payment' ? 'payment' : 'expense', id, within: 0 };
  }
}

function eventObject(id: number, { events, scopes }: SubjectStates): ObjectName {
  const isOwn = events.get(id)?.isOrganizer && readsOwnEvents(scopes);
  return { kind: isOwn ? 'own_event' : 'event', id, within: 0 };
}

/** Returns the same text for two names of the same object. */
export function keyOf({ kind, id, within }: ObjectName): string {
  return `${kind} ${id} ${within}`;
}
