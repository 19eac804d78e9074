import { NOTICE_KINDS, type NoticeKind } from '#areas/notifications/notice.texts';

/** The groups of kinds in the form on /account/notices, in the order of the page. */
const GROUPS = ['own_events', 'joining', 'groups', 'account'] as const;
type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<NoticeKind, Group>> = {
  request: 'own_events',
  joined: 'own_events',
  waitlisted: 'own_events',
  invitation: 'joining',
  approval: 'joining',
  decline: 'joining',
  promotion: 'joining',
  seat_offered: 'joining',
  offer_lapsed: 'joining',
  removal: 'joining',
  reminder: 'joining',
  organizer_message: 'joining',
  event_changed: 'joining',
  event_cancelled: 'joining',
  event_deleted: 'joining',
  series_changed: 'joining',
  series_cancelled: 'joining',
  comment: 'groups',
  group_invitation: 'groups',
  group_request: 'groups',
  group_approval: 'groups',
  content_removed: 'account',
  warning: 'account',
  account_banned: 'account',
  objection_granted: 'account',
  objection_dismissed: 'account',
  report_decided: 'account',
  app_connected: 'account',
  webhook_paused: 'account',
};

/** The kinds of notices by group. */
export const NOTICE_GROUPS = GROUPS.map((group) => ({
  text: `notice_group_${group}` as const,
  kinds: NOTICE_KINDS.filter((kind) => GROUP_OF[kind] === group),
}));
