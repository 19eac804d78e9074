/** Lists of the allowed values of enumerated fields, as in docs/rules. Most lists have a union type of their values. */

// Events
export const EVENT_TYPES = ['drink', 'food', 'sport', 'culture', 'party', 'walk', 'work', 'game', 'other'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_STATUSES = ['active', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export const JOIN_MODES = ['open', 'password', 'tickets', 'request'] as const;
export type JoinMode = (typeof JOIN_MODES)[number];

/** How free seats are given to people on the waitlist: by the organizer, automatically, or as an offer. */
export const WAITLIST_MODES = ['manual', 'auto', 'offer'] as const;
export type WaitlistMode = (typeof WAITLIST_MODES)[number];

/** The values of join_mode for which waitlist_mode has an effect. */
export const WAITLIST_JOIN_MODES = ['open', 'password'] as const satisfies readonly JoinMode[];

/** The values of join_mode that an event with `seeking_company` can have. */
export const SEEKING_COMPANY_JOIN_MODES = ['open', 'request'] as const satisfies readonly JoinMode[];

export const GENDER_RESTRICTIONS = ['male', 'female'] as const;
export type GenderRestriction = (typeof GENDER_RESTRICTIONS)[number];

/** Defaults of a new event; is_public is false if the event is created with `group`. */
export const EVENT_DEFAULTS = {
  type: 'other',
  join_mode: 'open',
  status: 'active',
  is_public: true,
  seeking_company: false,
  photos_enabled: false,
  waitlist_mode: 'manual',
  offer_hours: 24,
} as const satisfies {
  type: EventType;
  join_mode: JoinMode;
  status: EventStatus;
  waitlist_mode: WaitlistMode;
} & Record<string, string | boolean | number>;

/** `relation` of GET /events; the first value is the default. */
export const EVENT_RELATIONS = ['organizing', 'joined', 'invited', 'waitlisted', 'requested'] as const;
export type EventRelation = (typeof EVENT_RELATIONS)[number];

export const EVENT_SCOPES = ['upcoming', 'past'] as const;
export type EventScope = (typeof EVENT_SCOPES)[number];

/** `scope` of GET /series/{id}/events. */
export const OCCURRENCE_SCOPES = ['upcoming'] as const;
export type OccurrenceScope = (typeof OCCURRENCE_SCOPES)[number];

/** `source` of the Discover list: events created by users, or imported events. */
export const DISCOVER_SOURCES = ['community', 'editorial'] as const;
export type DiscoverSource = (typeof DISCOVER_SOURCES)[number];

/** `price` of GET /discover/events and of Explore. */
export const EVENT_PRICES = ['free', 'paid'] as const;
export type EventPrice = (typeof EVENT_PRICES)[number];

/** Sort orders of GET /discover/events. */
export const DISCOVER_SORTS = ['default', 'starts_at', 'distance', 'created_at'] as const;
export type DiscoverSort = (typeof DISCOVER_SORTS)[number];

// Participation; a person without a relation to the event has no state (null)
export const PARTICIPATION_STATES = ['confirmed', 'pending', 'waitlisted', 'requested', 'declined', 'banned'] as const;
export type ParticipationState = (typeof PARTICIPATION_STATES)[number];

/** The values of `viewer.participation`. `banned` is not included, because banned people do not see the event. */
export const VIEWER_PARTICIPATIONS = [
  'confirmed',
  'pending',
  'waitlisted',
  'requested',
  'declined',
] as const satisfies readonly ParticipationState[];
export type ViewerParticipation = (typeof VIEWER_PARTICIPATIONS)[number];

/** The states in which a person sees a private event. Its organizer sees the event too. */
export const PRIVATE_EVENT_VIEWER_STATES = [
  'confirmed',
  'pending',
  'waitlisted',
  'requested',
] as const satisfies readonly ParticipationState[];

/**
 * Kinds of entries in a person's log at the door. `scan` and `undo` come from devices, `check_in` and `undo_check_in`
 * from the check-in endpoints.
 */
export const DOOR_MARKS = ['scan', 'undo', 'check_in', 'undo_check_in'] as const;
export type DoorMark = (typeof DOOR_MARKS)[number];

/** `result` of a scan: the state after the scan (DOOR-8). */
export const SCAN_RESULTS = ['checked_in', 'already', 'undone', 'not_participant', 'not_found', 'cancelled'] as const;
export type ScanResult = (typeof SCAN_RESULTS)[number];

// Accounts
export const GENDERS = ['male', 'female', 'other'] as const;
export type Gender = (typeof GENDERS)[number];

export const LOCALES = ['cs', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** The access level of a token. `legacy`: the token is older than the access levels, or `apply` has created it. */
export const TOKEN_ACCESSES = ['read', 'write', 'legacy'] as const;
export type TokenAccess = (typeof TOKEN_ACCESSES)[number];

/**
 * The access levels of new tokens: `write` allows all operations, `read` only the operations that do not change
 * anything.
 */
export const TOKEN_CHOICES = ['read', 'write'] as const satisfies readonly TokenAccess[];
export type TokenChoice = (typeof TOKEN_CHOICES)[number];

/** Lifetimes of new tokens, in days. */
export const TOKEN_DAYS = ['7', '30', '90', '365'] as const;
export type TokenDays = (typeof TOKEN_DAYS)[number];

/** The scope that each access level gives to a token without a list of scopes. */
export const SCOPE_OF_ACCESS = {
  read: 'read',
  write: 'write',
  legacy: 'write',
} as const satisfies Record<TokenAccess, TokenChoice>;

/** Whether this HTTP method is for reading only (GET or HEAD). The access level `read` allows only these methods. */
export function isReadingMethod(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether requests with this HTTP method may change something. */
export function canWrite(method: string): boolean {
  return !isReadingMethod(method) && method !== 'OPTIONS';
}

// Series
export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The fields of a series' recurrence rule. A PATCH of the series must not contain them. */
export const RECURRENCE_FIELDS = [
  'starts_at',
  'frequency',
  'interval',
  'until',
  'occurrences_limit',
  'duration_minutes',
] as const;
export type RecurrenceField = (typeof RECURRENCE_FIELDS)[number];

// Groups
export const GROUP_ROLES = ['owner', 'member', 'invited', 'requested'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];

/** Whether a person with this role belongs to the group. Invited and requesting people do not belong to it. */
export function belongsToGroup(role: GroupRole | null | undefined): boolean {
  return role === 'owner' || role === 'member';
}

/** `relation` of GET /groups and `status` of GET /groups/{id}/members; the first value is the default. */
export const GROUP_RELATIONS = ['member', 'invited', 'requested'] as const satisfies readonly GroupRole[];
export type GroupRelation = (typeof GROUP_RELATIONS)[number];

/** `group_link` of an event in a group's list: the group's own event, or an event that the group is interested in. */
export const GROUP_LINKS = ['own', 'interest'] as const;
export type GroupLink = (typeof GROUP_LINKS)[number];

// Blog posts
export const POST_STATUSES = ['draft', 'published'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];
export const DEFAULT_POST_STATUS = 'draft' satisfies PostStatus;

export const POST_CATEGORIES = [
  'evropa',
  'asie',
  'afrika',
  'amerika',
  'australie_oceanie',
  'gastronomie',
  'kultura_umeni',
  'priroda_outdoor',
  'mista',
  'adrenalin',
  'wellness',
  'nocni_zivot',
  'backpacking',
  'rodinna_dovolena',
  'digital_nomad',
  'roadtrip',
  'kolo',
  'vlastni_ose',
  'ubytovani',
  'doprava',
  'zivotni_zkusenosti',
] as const;
export type PostCategory = (typeof POST_CATEGORIES)[number];

// Expenses; the first currency is the default
export const CURRENCIES = ['CZK', 'EUR', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];

// Webhooks
export const WEBHOOK_STATUSES = ['active', 'paused'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Hours before an event at which a person is reminded; 0: never. */
export const REMINDER_HOURS = [0, 2, 24, 48] as const;
export const DEFAULT_REMINDER_HOURS = 24;
export type ReminderHours = (typeof REMINDER_HOURS)[number];

// Stored HTML
/** Tags allowed in an event's description and a post's body. */
export const RICH_TEXT_TAGS = [
  'b',
  'i',
  'u',
  's',
  'em',
  'strong',
  'ul',
  'ol',
  'li',
  'p',
  'br',
  'a',
  'h1',
  'h2',
  'h3',
  'h4',
  'blockquote',
] as const;
/** Tags allowed in a Puls post's body. */
export const PULS_TAGS = ['b', 'i', 'u', 's', 'em', 'strong', 'br'] as const;

/** The protocols that the `href` of a link may have, and the `rel` that every link gets. */
export const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:'] as const;
export const LINK_REL = 'nofollow noopener ugc';

// Messages of organizers
/** Participation states of the people who get a message to `all`. */
export const MESSAGED_STATES = ['confirmed', 'waitlisted', 'requested'] as const;
export type MessagedState = (typeof MESSAGED_STATES)[number];
/** `to` of a message. */
export const MESSAGE_AUDIENCES = [...MESSAGED_STATES, 'all'] as const;
export type MessageAudience = (typeof MESSAGE_AUDIENCES)[number];

// Reports and moderation
/** Kinds of content that can be removed. */
export const CONTENT_KINDS = ['event', 'series', 'group', 'post', 'comment', 'photo', 'puls', 'message'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** `subject_type` of a report. */
export const REPORT_SUBJECTS = [...CONTENT_KINDS, 'user'] as const;
export type ReportSubject = (typeof REPORT_SUBJECTS)[number];

export const REPORT_REASONS = [
  'spam',
  'fraud',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'children',
  'privacy',
  'copyright',
  'illegal',
  'other',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** `outcome` of a report; null until the decision. */
export const REPORT_OUTCOMES = ['dismissed', 'removed', 'warned', 'banned'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];
