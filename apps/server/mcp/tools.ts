import type { OperationId } from '#contract/scopes';
import { SHAPES, type Shape } from './shapes';

/** The values of a tool call as the client sent them. The API validates them. */
export type Values = Readonly<Record<string, unknown>>;

/** A request to the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path after the prefix of the API, encoded. */
  readonly path: string;
  readonly query?: Values;
  readonly body?: Values;
}

/** A field of a tool's input that none of the tool's operations has. */
export interface OwnField {
  readonly type: 'string' | 'boolean';
  readonly description: string;
  readonly enum?: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Ids of the operations whose parameters and bodies form the input of the tool. */
  readonly operations: readonly OperationId[];
  readonly required?: readonly string[];
  /** The names of the operations' fields that the input contains; if absent, all fields. */
  readonly only?: readonly string[];
  /** The names of the operations' fields that the input does not contain, because the tool does not send them. */
  readonly except?: readonly string[];
  /** The fields of the input that none of the operations has, by their names. */
  readonly own?: Readonly<Record<string, OwnField>>;
  /** Only for a tool that writes: `destructive` if the tool removes or overwrites something, otherwise `additive`. */
  readonly writes?: 'destructive' | 'additive';
  /** Whether a second call with the same input has no further effect. */
  readonly idempotent?: boolean;
  readonly shape: Shape | ((values: Values) => Shape);
  readonly request: (values: Values) => ApiRequest;
}

/** The text of a value for a path, a query or a header. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/**
 * Encodes an id or a slug for a path. An empty text, `.` or `..` would change the path to that of another operation,
 * and `encodeURIComponent` throws for an unpaired surrogate. No resource has such an id, so these texts are
 * replaced by `-`, which is not the id of a resource either.
 */
function segment(value: unknown): string {
  const text = textOf(value);
  return /^\.{0,2}$|\p{Surrogate}/u.test(text) ? '-' : encodeURIComponent(text);
}

const eventPath = ({ id }: Values, rest = ''): string => `/events/${segment(id)}${rest}`;
const without = (values: Values, ...names: string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
const commentsPath = (values: Values): string =>
  (values.slug ?? null) === null ? eventPath(values, '/comments') : `/posts/${segment(values.slug)}/comments`;

const PAGE = ['page', 'per_page'] as const;
/**
 * The field `id`, which selects an event in place of a post. A tool for comments takes its other fields from an
 * operation on a post.
 */
const EVENT_ID = { id: { type: 'string', description: 'id of an event; for a post, give `slug` instead' } } as const;

export const TOOLS: readonly Tool[] = [
  {
    name: 'find_events',
    title: 'Find events',
    description: 'Public upcoming events, by words, kind, day, place, price, organizer or group.',
    operations: ['discoverEvents'],
    only: [
      ...['q', 'type', 'date_from', 'date_to', 'lat', 'lng', 'radius_km', 'price', 'organizer', 'group', 'series'],
      ...['seeking_company', 'ids', 'starts_after', 'starts_before', 'sort', 'cursor', 'per_page'],
    ],
    shape: SHAPES.events,
    request: (query) => ({ method: 'GET', path: '/discover/events', query }),
  },
  {
    name: 'show_event',
    title: 'Show an event',
    description: 'One event with its description and what the person may do with it.',
    operations: ['getDiscoveredEvent'],
    required: ['id'],
    shape: SHAPES.event,
    request: ({ id }) => ({ method: 'GET', path: `/discover/events/${segment(id)}` }),
  },
  {
    name: 'my_events',
    title: 'My events',
    description: 'Events that the person organizes, takes part in, is invited to, waits for, or has asked to join.',
    operations: ['listEvents'],
    shape: SHAPES.events,
    request: (query) => ({ method: 'GET', path: '/events', query }),
  },
  {
    name: 'join_event',
    title: 'Join an event',
    description:
      'Joins an event, accepts an invitation or an offered seat, or sends a request, depending on the event.',
    operations: ['joinEvent'],
    required: ['id'],
    writes: 'additive',
    shape: SHAPES.event,
    request: (values) => ({ method: 'POST', path: eventPath(values, '/join'), body: without(values, 'id') }),
  },
  {
    name: 'leave_event',
    title: 'Leave an event',
    description:
      'Leaves an event or its waitlist, declines an invitation, or withdraws a request. The seat may go to another person.',
    operations: ['leaveEvent'],
    required: ['id'],
    writes: 'destructive',
    shape: SHAPES.event,
    request: (values) => ({ method: 'DELETE', path: eventPath(values, '/join') }),
  },
  {
    name: 'create_event',
    title: 'Create an event',
    description:
      'Creates an event with the person as its organizer. Without `is_public`, the event is private if `group` is given, otherwise public.',
    operations: ['createEvent'],
    required: ['title', 'starts_at'],
    writes: 'additive',
    shape: SHAPES.event,
    request: (body) => ({ method: 'POST', path: '/events', body }),
  },
  {
    name: 'change_event',
    title: 'Change an event',
    description:
      "Changes the sent fields of one of the person's own events. Participants are notified of a new time or place.",
    operations: ['updateEvent'],
    // `cancel_event` sets the status.
    except: ['status'],
    required: ['id'],
    writes: 'destructive',
    idempotent: true,
    shape: SHAPES.event,
    request: (values) => ({ method: 'PATCH', path: eventPath(values), body: without(values, 'id', 'status') }),
  },
  {
    name: 'cancel_event',
    title: 'Cancel an event',
    description: "Cancels one of the person's own events permanently and notifies its participants.",
    operations: ['updateEvent'],
    only: ['id'],
    required: ['id'],
    writes: 'destructive',
    idempotent: true,
    shape: SHAPES.event,
    request: (values) => ({ method: 'PATCH', path: eventPath(values), body: { status: 'cancelled' } }),
  },
  {
    name: 'event_people',
    title: 'People of an event',
    description: 'Participants, invitations, requests and the waitlist of an event.',
    operations: ['listEventParticipants'],
    required: ['id'],
    shape: SHAPES.participant,
    request: (values) => ({ method: 'GET', path: eventPath(values, '/participants'), query: without(values, 'id') }),
  },
  {
    name: 'manage_people',
    title: 'Manage the people of an event',
    description:
      "Invites a person to one of the caller's own events, approves a request or a person on the waitlist, or removes a person.",
    operations: ['inviteEventParticipant', 'promoteEventParticipant', 'removeEventParticipant'],
    only: ['id', 'user', 'ban'],
    required: ['id', 'action', 'user'],
    own: { action: { type: 'string', enum: ['invite', 'approve', 'remove'], description: 'what to do' } },
    writes: 'destructive',
    shape: ({ action }) => (action === 'remove' ? SHAPES.nothing : SHAPES.participant),
    request: (values: Values): ApiRequest => {
      const person = segment(values.user);
      if (values.action === 'remove')
        return { method: 'DELETE', path: eventPath(values, `/participants/${person}`), query: pick(values, 'ban') };
      if (values.action === 'approve')
        return { method: 'POST', path: eventPath(values, `/participants/${person}/promote`), body: {} };
      return { method: 'POST', path: eventPath(values, '/participants'), body: pick(values, 'user') };
    },
  },
  {
    name: 'check_in',
    title: 'Check in',
    description: "Checks in a participant of one of the person's own events, by the code that the participant shows.",
    operations: ['checkInByCode'],
    required: ['id', 'code'],
    writes: 'additive',
    idempotent: true,
    shape: SHAPES.participant,
    request: (values) => ({ method: 'POST', path: eventPath(values, '/check-in'), body: without(values, 'id') }),
  },
  {
    name: 'my_groups',
    title: 'My groups',
    description: 'Groups that the person belongs to, is invited to, or has asked to join.',
    operations: ['listGroups'],
    shape: SHAPES.groups,
    request: (query) => ({ method: 'GET', path: '/groups', query }),
  },
  {
    name: 'find_people',
    title: 'Find people',
    description: 'Finds people by name, nickname or slug. Other tools take the slug of a person.',
    operations: ['searchUsers'],
    required: ['q'],
    shape: SHAPES.people,
    request: (query) => ({ method: 'GET', path: '/users', query }),
  },
  {
    name: 'read_comments',
    title: 'Read comments',
    description: 'Comments of an event (`id`) or of a post (`slug`), with their replies.',
    operations: ['listPostComments'],
    only: ['slug', ...PAGE],
    own: EVENT_ID,
    shape: SHAPES.comments,
    request: (values) => ({ method: 'GET', path: commentsPath(values), query: without(values, 'id', 'slug') }),
  },
  {
    name: 'write_comment',
    title: 'Write a comment',
    description: 'Comments on an event (`id`) or a post (`slug`), or replies to a comment (`parent`).',
    operations: ['commentOnPost'],
    only: ['slug', 'body', 'parent'],
    required: ['body'],
    own: EVENT_ID,
    writes: 'additive',
    shape: SHAPES.comments,
    request: (values) => ({ method: 'POST', path: commentsPath(values), body: without(values, 'id', 'slug') }),
  },
  {
    name: 'read_expenses',
    title: 'Read expenses',
    description: 'Shared expenses of an event, balances, and the payments that would settle them.',
    operations: ['getEventExpenses'],
    required: ['id'],
    shape: SHAPES.expenseList,
    request: (values) => ({ method: 'GET', path: eventPath(values, '/expenses') }),
  },
  {
    name: 'record_expense',
    title: 'Record an expense or a payment',
    description:
      'Records what somebody paid for everybody (`expense`), or a payment between two people (`payment`). No money is moved.',
    operations: ['addEventExpense', 'recordEventPayment'],
    required: ['id', 'kind', 'amount'],
    own: {
      kind: { type: 'string', enum: ['expense', 'payment'], description: 'expense: with `title`; payment: with `to`' },
    },
    writes: 'additive',
    shape: ({ kind }) => (kind === 'payment' ? SHAPES.payment : SHAPES.expense),
    request: (values) => ({
      method: 'POST',
      path: eventPath(values, values.kind === 'payment' ? '/expenses/payments' : '/expenses'),
      body:
        values.kind === 'payment'
          ? pick(values, 'from', 'to', 'amount', 'currency')
          : pick(values, 'title', 'amount', 'currency', 'paid_by', 'shared_with'),
    }),
  },
  {
    name: 'what_changed',
    title: 'What changed',
    description: 'Changes that concern the person, after a cursor; a call without a cursor returns the current cursor.',
    operations: ['listChanges'],
    only: ['cursor', 'limit', 'types'],
    shape: SHAPES.changes,
    request: (query) => ({ method: 'GET', path: '/changes', query }),
  },
];

function pick(values: Values, ...names: string[]): Values {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));
}
