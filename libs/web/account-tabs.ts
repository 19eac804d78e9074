import type { TextKey } from './texts';

/** The account pages in the order of their navigation. A new page needs a line here. */
export const ACCOUNT_TABS = [
  // For moderators and admins only, with the number of reported things that wait for a decision.
  { tab: 'moderation', path: '/moderation', text: 'moderation' },
  { tab: 'events', path: '/account/events', text: 'my_events' },
  { tab: 'groups', path: '/account/groups', text: 'groups_tab' },
  { tab: 'posts', path: '/account/posts', text: 'posts_tab' },
  { tab: 'profile', path: '/account', text: 'profile' },
  { tab: 'notices', path: '/account/notices', text: 'notices' },
  { tab: 'security', path: '/account/security', text: 'security_tab' },
  { tab: 'second_step', path: '/account/second-step', text: 'second_step_tab' },
  { tab: 'sessions', path: '/account/sessions', text: 'sessions_tab' },
  { tab: 'blocks', path: '/account/blocks', text: 'blocks_tab' },
  { tab: 'reports', path: '/account/reports', text: 'reports_tab' },
  { tab: 'apps', path: '/account/apps', text: 'apps_tab' },
  { tab: 'data', path: '/account/data', text: 'data_tab' },
  // Only where requests are logged.
  { tab: 'requests', path: '/account/requests', text: 'requests_tab' },
  { tab: 'api', path: '/account/api', text: 'api_tab' },
] as const satisfies readonly { readonly tab: string; readonly path: string; readonly text: TextKey }[];

export type AccountTab = (typeof ACCOUNT_TABS)[number]['tab'];
