import type { ChangeSubject } from './changes';
import { TOKEN_CHOICES, type TokenChoice } from './vocabulary';

/** The narrow scopes: each is for one part of the API. `x:write` includes `x:read`. */
export const NARROW_SCOPES = [
  'people:read',
  'events:read',
  'events:write',
  'discover:read',
  'join',
  'calendar:read',
  'calendar:write',
  'participants:read',
  'participants:write',
  'groups:read',
  'groups:write',
  'posts:read',
  'posts:write',
  'comments:read',
  'comments:write',
  'expenses:read',
  'expenses:write',
  'puls:read',
  'puls:write',
  'photos:read',
  'photos:write',
  'notices:read',
  'notices:write',
  'changes:read',
  'webhooks:read',
  'webhooks:write',
  'reports:read',
  'reports:write',
  'blocks:read',
  'blocks:write',
  'requests:read',
] as const;
export type NarrowScope = (typeof NARROW_SCOPES)[number];

export const SCOPES = [...TOKEN_CHOICES, ...NARROW_SCOPES] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Parses scopes separated by spaces or commas. Returns the known scopes without duplicates, in the order of `SCOPES`.
 */
export function scopesIn(text: string): Scope[] {
  const named = new Set(text.split(/[\s,]+/));
  return SCOPES.filter((scope) => named.has(scope));
}

/**
 * Whether the scopes allow an operation or content that needs the scope `needed`. `reads` is true for a method that
 * changes nothing, and for the content of a response.
 */
export function allows(scopes: readonly Scope[], needed: NarrowScope, { reads }: { readonly reads: boolean }): boolean {
  return scopes.some(
    (scope) =>
      scope === needed ||
      scope === 'write' ||
      (scope === 'read' && reads) ||
      (needed.endsWith(':read') && scope === needed.replace(/read$/, 'write')),
  );
}

/** Whether the scopes let the caller read content that requires at least one of the scopes `anyOf`. */
export function mayRead(scopes: readonly Scope[], anyOf: readonly NarrowScope[]): boolean {
  return anyOf.some((needed) => allows(scopes, needed, { reads: true }));
}

/**
 * The access level of the scopes: `write` if one of them is `write`; `read` if one is `read` and all others end in
 * `:read`; otherwise null.
 */
export function levelOf(scopes: readonly Scope[]): TokenChoice | null {
  if (scopes.includes('write')) return 'write';
  const isReadOnly = scopes.includes('read') && scopes.every((scope) => scope === 'read' || scope.endsWith(':read'));
  return isReadOnly ? 'read' : null;
}

/**
 * The scopes of a webhook that a token with the given scopes creates: `read` if one of the given scopes is an access
 * level, otherwise the given scopes.
 */
export function webhookScopes(scopes: readonly Scope[]): readonly Scope[] {
  return hasLevel(scopes) ? ['read'] : scopes;
}

/**
 * A token with the given scopes may manage a webhook whose scopes are all in the result. The result contains all scopes
 * if one of the given scopes is an access level. Otherwise it contains each narrow scope for which the given scopes let
 * the caller read the content; the content of `x:write` is the same as the content of `x:read`.
 */
export function scopesOfManagedWebhooks(scopes: readonly Scope[]): Scope[] {
  return SCOPES.filter(
    (scope) => hasLevel(scopes) || (scope !== 'read' && scope !== 'write' && mayRead(scopes, [readingOf(scope)])),
  );
}

function hasLevel(scopes: readonly Scope[]): boolean {
  return scopes.includes('read') || scopes.includes('write');
}

function readingOf(scope: NarrowScope): NarrowScope {
  return scope.replace(/:write$/, ':read') as NarrowScope;
}

/** The scopes of an access level, as `token.abilities` lists them. */
export const ABILITIES_OF_LEVEL = {
  read: ['read'],
  write: ['read', 'write'],
} as const satisfies Record<TokenChoice, readonly Scope[]>;

/** The scopes that let the caller read the subject of a change: one of them is enough. */
export const SCOPES_OF_SUBJECT: Readonly<Record<ChangeSubject, readonly NarrowScope[]>> = {
  event: ['events:read', 'discover:read'],
  series: ['events:read'],
  group: ['groups:read'],
  post: ['posts:read'],
  comment: ['comments:read'],
  expense: ['expenses:read'],
  photo: ['photos:read'],
  itinerary: ['events:read'],
  participant: ['participants:read'],
  member: ['groups:read'],
  ticket: ['participants:read'],
  notice: ['notices:read'],
};

/** Whether the scopes let callers read their own events with the organizer's fields, at `/events/{id}` (SCOPE-5). */
export function readsOwnEvents(scopes: readonly Scope[]): boolean {
  return mayRead(scopes, ['events:read']);
}

/** The scope of each operation of the API, by the operation's id; null: every token allows the operation. */
export const SCOPE_OF_OPERATION = {
  listBlocks: 'blocks:read',
  blockUser: 'blocks:write',
  unblockUser: 'blocks:write',
  getUser: null,
  listGroups: 'groups:read',
  createGroup: 'groups:write',
  discoverGroups: 'discover:read',
  getGroup: 'groups:read',
  updateGroup: 'groups:write',
  deleteGroup: 'groups:write',
  getGroupInviteLink: 'groups:write',
  joinGroup: 'groups:write',
  leaveGroup: 'groups:write',
  listGroupMembers: 'groups:read',
  inviteGroupMember: 'groups:write',
  approveGroupMember: 'groups:write',
  removeGroupMember: 'groups:write',
  uploadGroupAvatar: 'groups:write',
  deleteGroupAvatar: 'groups:write',
  uploadGroupCover: 'groups:write',
  deleteGroupCover: 'groups:write',
  createEvent: 'events:write',
  listEvents: 'events:read',
  getEvent: 'events:read',
  updateEvent: 'events:write',
  deleteEvent: 'events:write',
  uploadEventImages: 'events:write',
  deleteEventImage: 'events:write',
  setPrimaryEventImage: 'events:write',
  getEventStats: 'events:read',
  listEventMessages: 'events:read',
  sendEventMessage: 'events:write',
  listNotices: 'notices:read',
  readNotices: 'notices:write',
  joinEvent: 'join',
  leaveEvent: 'join',
  joinEventWaitlist: 'join',
  listEventParticipants: 'participants:read',
  downloadEventParticipants: 'participants:read',
  inviteEventParticipant: 'participants:write',
  removeEventParticipant: 'participants:write',
  promoteEventParticipant: 'participants:write',
  checkInEventParticipant: 'participants:write',
  undoEventCheckIn: 'participants:write',
  checkInByCode: 'participants:write',
  getEventDoor: 'participants:read',
  sendDoorScans: 'participants:write',
  // The check-in code as SVG and as PNG.
  drawCheckInCode: 'join',
  paintCheckInCode: 'join',
  listEventTickets: 'participants:read',
  createEventTickets: 'participants:write',
  deleteEventTicket: 'participants:write',
  discoverEvents: 'discover:read',
  getDiscoveredEvent: 'discover:read',
  listSeries: 'events:read',
  createSeries: 'events:write',
  getSeries: 'events:read',
  updateSeries: 'events:write',
  cancelSeries: 'events:write',
  listSeriesEvents: 'events:read',
  listGroupEvents: 'groups:read',
  addGroupEventInterest: 'groups:write',
  removeGroupEventInterest: 'groups:write',
  discoverPosts: 'discover:read',
  listPosts: 'posts:read',
  createPost: 'posts:write',
  getPost: 'posts:read',
  updatePost: 'posts:write',
  deletePost: 'posts:write',
  uploadPostCover: 'posts:write',
  deletePostCover: 'posts:write',
  searchUsers: 'people:read',
  getUserProfile: 'people:read',
  listEventComments: 'comments:read',
  commentOnEvent: 'comments:write',
  listPostComments: 'comments:read',
  commentOnPost: 'comments:write',
  deleteComment: 'comments:write',
  getEventExpenses: 'expenses:read',
  addEventExpense: 'expenses:write',
  deleteEventExpense: 'expenses:write',
  downloadEventExpenses: 'expenses:read',
  recordEventPayment: 'expenses:write',
  deleteEventPayment: 'expenses:write',
  listPuls: 'puls:read',
  createPuls: 'puls:write',
  listOwnPuls: 'puls:read',
  deletePuls: 'puls:write',
  listEventPhotos: 'photos:read',
  uploadEventPhotos: 'photos:write',
  deleteEventPhoto: 'photos:write',
  getEventItinerary: 'events:read',
  putEventItinerary: 'events:write',
  deleteEventItinerary: 'events:write',
  listReports: 'reports:read',
  createReport: 'reports:write',
  getCalendarAddress: 'calendar:read',
  renewCalendarAddress: 'calendar:write',
  listChanges: 'changes:read',
  listWebhooks: 'webhooks:read',
  createWebhook: 'webhooks:write',
  getWebhook: 'webhooks:read',
  updateWebhook: 'webhooks:write',
  deleteWebhook: 'webhooks:write',
  rotateWebhookSecret: 'webhooks:write',
  testWebhook: 'webhooks:write',
  listWebhookDeliveries: 'webhooks:read',
  retryWebhookDelivery: 'webhooks:write',
  listLimits: null,
  listRequests: 'requests:read',
  listDoorLinks: 'participants:read',
  createDoorLink: 'participants:write',
  deleteDoorLink: 'participants:write',
} as const satisfies Readonly<Record<string, NarrowScope | null>>;
export type OperationId = keyof typeof SCOPE_OF_OPERATION;
