import type { TextKey } from './texts';

/** The account pages in the order of the navigation, divided into groups. A new page needs an entry here. */
export const ACCOUNT_TABS = [
  // Shown to moderators and admins only, with the number of reported objects and objections that wait for a decision.
  { tab: 'moderation', group: 'moderation', path: '/moderation', text: 'moderation' },
  { tab: 'events', group: 'own', path: '/account/events', text: 'my_events' },
  { tab: 'groups', group: 'own', path: '/account/groups', text: 'groups_tab' },
  { tab: 'posts', group: 'own', path: '/account/posts', text: 'posts_tab' },
  { tab: 'profile', group: 'account', path: '/account', text: 'profile' },
  { tab: 'notices', group: 'account', path: '/account/notices', text: 'notices' },
  { tab: 'security', group: 'account', path: '/account/security', text: 'security_tab' },
  { tab: 'second_step', group: 'account', path: '/account/second-step', text: 'second_step_tab' },
  { tab: 'sessions', group: 'account', path: '/account/sessions', text: 'sessions_tab' },
  { tab: 'blocks', group: 'account', path: '/account/blocks', text: 'blocks_tab' },
  { tab: 'reports', group: 'account', path: '/account/reports', text: 'reports_tab' },
  { tab: 'apps', group: 'data', path: '/account/apps', text: 'apps_tab' },
  { tab: 'data', group: 'data', path: '/account/data', text: 'data_tab' },
  // Shown only if the server stores the requests of accounts (REQUEST_LOG).
  { tab: 'requests', group: 'data', path: '/account/requests', text: 'requests_tab' },
  { tab: 'api', group: 'data', path: '/account/api', text: 'api_tab' },
] as const satisfies readonly {
  readonly tab: string;
  readonly group: string;
  readonly path: string;
  readonly text: TextKey;
}[];

export type AccountTab = (typeof ACCOUNT_TABS)[number]['tab'];
