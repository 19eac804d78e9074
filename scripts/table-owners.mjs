// The owner of each table, which alone writes it. Others that read the table directly are listed in FOREIGN_READS with
// the reason; all other code uses the owner's reader. An owner is an area by its name, `platform/<folder>`, `web`,
// `server` or `cli`.
//
// `all_x` is a table, and `x` is the view of its visible rows (docs/adr/0021-out-of-sight.md). Statements read and
// write `x`, except those that also need removed rows.
export const OWNED = {
  'platform/database': ['schema_floor', 'database_files'],
  'platform/installation': ['installation', 'public_id_salts'],
  'platform/media': ['media_files'],
  'platform/maintenance': ['maintenance'],
  'platform/jobs': ['job_runs'],
  'platform/retries': ['kept_answers', 'kept_answer_keys', 'request_claims'],
  'platform/changes': ['changes', 'changes_rest', 'unnumbered_changes', 'change_feed'],
  'platform/audit': ['audit_entries', 'audit_head'],
  identity: ['users', 'tokens', 'token_forms', 'user_blocks', 'web_sessions', 'app_tokens'],
  apps: ['apps', 'app_grants', 'app_consents', 'app_codes', 'app_interactions', 'app_wrong_codes', 'app_registrations'],
  'account-mail': ['account_mails'],
  'second-step': [
    'totp_secrets',
    'passkeys',
    'recovery_codes',
    'half_sessions',
    'second_step_tries',
    'used_challenges',
  ],
  quotas: ['daily_counters'],
  credits: ['credit_accounts', 'credit_holds', 'credit_entries'],
  notifications: ['notifications', 'mail_choices', 'event_changes', 'event_reminders'],
  groups: ['groups', 'all_groups', 'group_cells', 'group_members', 'group_chats'],
  events: ['events', 'all_events', 'event_images', 'event_imports'],
  participation: [
    'participations',
    'tickets',
    'wrong_passwords',
    'door_packs',
    'door_marks',
    'door_links',
    'event_digests',
  ],
  statistics: ['event_days'],
  messages: ['event_messages', 'all_event_messages', 'event_message_recipients'],
  discover: ['live_events', 'live_event_changes', 'live_words', 'live_grams', 'listable_events', 'hidden_from_changes'],
  series: ['series', 'all_series'],
  'group-events': ['group_interests'],
  posts: ['posts', 'all_posts'],
  people: ['people_words', 'people_searches'],
  comments: ['comments', 'all_comments', 'comment_rates'],
  expenses: ['expenses', 'expense_shares', 'expense_payments'],
  puls: ['puls_posts', 'all_puls_posts'],
  gallery: ['gallery_photos', 'all_gallery_photos'],
  itinerary: ['itineraries'],
  requests: ['request_log', 'request_log_rest'],
  moderation: ['content_removals', 'reports', 'moderation_decisions'],
  webhooks: ['webhooks', 'webhook_deliveries'],
  push: ['push_keys', 'push_subscriptions', 'push_messages', 'push_choices'],
  // The area also reads every table by the map of personal data (libs/areas/own-data/map), so that an export is
  // complete.
  'own-data': ['account_erasures', 'data_exports'],
  calendars: ['calendar_addresses'],
  changes: ['change_holds'],
};

const PEOPLE = 'a list shows people in its own statement: one round trip a page, whatever its length (personColumns)';
const JUDGED = 'what a page of the feed speaks of is judged for its reader in a few statements, whatever its length';
const BLOCKS =
  'who has blocked whom decides which rows a page counts and shows, so it is decided where they are walked';

const DUE = 'the clock of the sandbox stops at the earliest moment at which a row of any queue is due';

const FIGURES = 'figures of the whole installation in one statement, so that they are of one moment';

/** Areas that read a table of another area, with the reason why the owner's reader is not enough. */
export const FOREIGN_READS = [
  { table: 'users', by: ['requests'], why: 'a batch of the log locks its accounts in its own statement' },
  ...['apps', 'app_grants'].map((table) => ({
    table,
    by: ['identity'],
    why: 'the token of an app is authenticated in one statement: it ends with its grant, and rests while its app is suspended',
  })),
  {
    table: 'app_tokens',
    by: ['apps'],
    why: 'the last use of a grant is the last use of its tokens, which lists of grants and the end of unused grants need',
  },
  ...[
    'webhook_deliveries',
    'push_messages',
    'event_reminders',
    'event_changes',
    'event_digests',
    'participations',
    'events',
    'all_puls_posts',
    'users',
    'account_erasures',
  ].map((table) => ({ table, by: ['server'], why: DUE })),
  ...[
    'users',
    'events',
    'live_events',
    'participations',
    'series',
    'groups',
    'posts',
    'comments',
    'puls_posts',
    'media_files',
  ].map((table) => ({ table, by: ['cli'], why: FIGURES })),
  {
    table: 'media_files',
    by: ['platform/backup'],
    why: 'a backup copies what its own snapshot refers to, on its own connection',
  },
  {
    table: 'users',
    by: ['platform/backup'],
    why: 'a restore asks whether anybody is there before it puts everybody there',
  },
  ...['changes', 'change_feed'].map((table) => ({
    table,
    by: ['changes'],
    why: 'the feed reads the log by what its reader follows, in one statement',
  })),
  { table: 'change_feed', by: ['webhooks'], why: 'webhooks with unread entries are found in one statement' },
  { table: 'changes', by: ['webhooks'], why: 'the metric of the queue needs the time of the first unread entry' },
  ...[
    'users',
    'notifications',
    'groups',
    'group_members',
    'group_interests',
    'events',
    'participations',
    'tickets',
    'series',
    'posts',
    'comments',
    'expenses',
    'gallery_photos',
    'itineraries',
  ].map((table) => ({ table, by: ['changes'], why: JUDGED })),
  ...['door_links', 'events'].map((table) => ({
    table,
    by: ['identity'],
    why: 'the token of a door link is looked up with its event and organizer in one round trip for each request',
  })),
  { table: 'users', by: ['groups', 'participation', 'posts', 'comments', 'expenses', 'puls', 'gallery'], why: PEOPLE },
  {
    table: 'users',
    by: ['webhooks'],
    why: 'nothing is sent for who is banned or without Premium, which is asked with the webhook itself before every message',
  },
  {
    table: 'users',
    by: ['push'],
    why: 'nothing is sent for who is banned, which is asked with the subscription itself before every message',
  },
  {
    table: 'users',
    by: ['account-mail'],
    why: 'whether an address has an account is known when its mail is made, and while its link is used, in that statement',
  },
  { table: 'users', by: ['notifications'], why: 'address and language are those of the moment in which the mail goes' },
  {
    table: 'user_blocks',
    by: ['events', 'discover', 'puls', 'notifications', 'participation', 'comments', 'posts', 'people'],
    why: BLOCKS,
  },
  ...['participations', 'all_events', 'groups'].map((table) => ({
    table,
    by: ['notifications'],
    why: 'the readers of a notice are chosen when it is written, however many they are: one INSERT … SELECT',
  })),
  {
    table: 'comments',
    by: ['notifications'],
    why: 'a notice quotes a comment while it can be read: the text is looked up with the notice',
  },
  {
    table: 'event_messages',
    by: ['notifications'],
    why: 'a notice shows the message of an organizer while it can be read: the text is looked up with the notice',
  },
  {
    table: 'all_events',
    by: ['messages'],
    why: 'the messages of an erased account belong to the events that it organized, removed ones included: one statement',
  },
  {
    table: 'participations',
    by: ['statistics'],
    why: 'the people of an event by status, and their check-ins, are counts that nothing else reads',
  },
  {
    table: 'participations',
    by: ['comments'],
    why: 'who is told of a comment depends on who still sees the event: one statement',
  },
  {
    table: 'users',
    by: ['discover'],
    why: 'the organizer that a filter names by slug is read in the statement of the page',
  },
  {
    table: 'users',
    by: ['people'],
    why: 'who is found and who is hidden from the searcher is one statement, for an exact total',
  },
  {
    table: 'participations',
    by: ['posts'],
    why: 'whether the viewer sees the event of a post is decided in the statement of the list',
  },
  {
    table: 'events',
    by: ['participation', 'group-events'],
    why: 'lists of events with the viewer beside each: one walk, one round trip',
  },
  {
    table: 'all_events',
    by: ['discover'],
    why: 'what is in live_events is in sight, so a page reads its events without asking that of each (docs/adr/0021-out-of-sight.md)',
  },
  {
    table: 'events',
    by: ['notifications'],
    why: 'a notice copies title and start as they are, of thousands of events by one statement',
  },
  {
    table: 'events',
    by: ['series'],
    why: 'a series is shown with its occurrences counted, in the statement of its page',
  },
  {
    table: 'groups',
    by: ['events'],
    why: 'whether the group of an event is in sight is told in the statement that shows the event',
  },
  {
    table: 'events',
    by: ['posts'],
    why: 'whether the event of a post is in sight is told in the statement that shows the post',
  },
  {
    table: 'events',
    by: ['comments', 'expenses', 'gallery'],
    why: "whether the viewer may manage a row is told by its event's organizer, in the row's own statement",
  },
  {
    table: 'users',
    by: ['series'],
    why: "whether a series has a public calendar depends on its organizer's ban, in one statement",
  },
  {
    table: 'events',
    by: ['calendars'],
    why: 'a calendar is a list of events by columns that nothing else shows, in one statement',
  },
  ...['users', 'events', 'series', 'groups', 'posts', 'comments', 'gallery_photos', 'puls_posts', 'event_messages'].map(
    (table) => ({
      table,
      by: ['moderation'],
      why: 'a report keeps the thing as it was reported, with its author: one statement a kind',
    }),
  ),
  {
    table: 'all_events',
    by: ['participation'],
    why: 'which places somebody who goes leaves depends on when each event is, removed ones too: one statement',
  },
  {
    table: 'users',
    by: ['own-data'],
    why: 'an export names the other people of a row by their slugs, in its own statement',
  },
  ...['webhooks', 'all_events'].map((table) => ({
    table,
    by: ['own-data'],
    why: "whose a row is, is told by the row it belongs to, in the export's own statement",
  })),
  {
    table: 'participations',
    by: ['calendars'],
    why: 'which events are in the calendar of an account is decided where they are walked',
  },
  {
    table: 'events',
    by: ['posts'],
    why: 'which posts are in the feed of a group is decided by the events they are about, in one statement',
  },
  {
    table: 'posts',
    by: ['comments'],
    why: "whether the viewer may delete a comment is told by the post's author, in the comment's own statement",
  },
  {
    table: 'participations',
    by: ['events'],
    why: 'who sees an event is decided in one round trip, the relation to it included',
  },
  {
    table: 'participations',
    by: ['discover', 'group-events'],
    why: 'a private event is listed for who is in it, so that is decided where the list is walked',
  },
  {
    table: 'participations',
    by: ['expenses'],
    why: "the people of an event's books are its confirmed participants with their accounts: one statement",
  },
];
