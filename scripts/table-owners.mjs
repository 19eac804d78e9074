// The owner of each table: only the owner's code writes the table. Other code that reads the table directly is listed
// in FOREIGN_READS with the reason. Code that is not listed uses the owner's reader. An owner is the name of an area,
// `platform/<folder>`, `web`, `server` or `cli`.
//
// `all_x` is a table, and `x` is the view of its visible rows (docs/adr/0021-out-of-sight.md). Statements read and
// write `x`. Only statements that also need removed rows use `all_x`. (Discover is an exception; its entry in
// FOREIGN_READS has the reason.)
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
  // The area also reads every table through the map of personal data (libs/areas/own-data/map), so that exports are
  // complete.
  'own-data': ['account_erasures', 'data_exports'],
  calendars: ['calendar_addresses'],
  changes: ['change_holds'],
};

const PEOPLE =
  'the statement of a list also reads the people in the list, so that a page of any length needs one round trip (personColumns)';
const VISIBILITY = 'a fixed number of statements decides which changed objects an account sees on a page of any length';
const DUE = "the sandbox's clock stops at the next moment at which a row is due, and one statement finds this moment";

const FIGURES = 'figures of the whole installation are read in one statement, so that they belong to one moment';

/** Owners (`by`) that read a table of another owner, with the reason why they cannot use that owner's reader. */
export const FOREIGN_READS = [
  {
    table: 'users',
    by: ['requests'],
    why: 'the insert of a batch of log rows locks the rows of their accounts in the same statement',
  },
  ...['apps', 'app_grants'].map((table) => ({
    table,
    by: ['identity'],
    why: "one statement authenticates an app's token, and checks that its grant exists and that the app is not suspended",
  })),
  {
    table: 'app_tokens',
    by: ['apps'],
    why: 'the last use of a grant is stored in the rows of its tokens; lists of grants show this time, and a job ends grants whose last use is long ago',
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
    why: 'a backup reads the keys of the files in its own snapshot, on its own connection',
  },
  {
    table: 'users',
    by: ['platform/backup'],
    why: 'a restore checks that there are no accounts before it inserts accounts',
  },
  ...['changes', 'change_feed'].map((table) => ({
    table,
    by: ['changes'],
    why: 'one statement finds what an account follows (itself, its events, its groups) and reads the changes of these objects',
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
  ].map((table) => ({ table, by: ['changes'], why: VISIBILITY })),
  ...['door_links', 'events'].map((table) => ({
    table,
    by: ['identity'],
    why: 'the token of a door link is looked up with its event and organizer in one round trip for each request',
  })),
  { table: 'users', by: ['groups', 'participation', 'posts', 'comments', 'expenses', 'puls', 'gallery'], why: PEOPLE },
  {
    table: 'users',
    by: ['webhooks'],
    why: 'a ban and Premium of the owner are checked before every message, in the statement that reads the webhook',
  },
  {
    table: 'users',
    by: ['push'],
    why: 'a ban of the owner is checked before every message, in the statement that reads the subscription',
  },
  {
    table: 'users',
    by: ['account-mail'],
    why: 'the statement that creates a mail, and the statement that uses the link in it, check whether the address has an account',
  },
  { table: 'users', by: ['notifications'], why: "the recipient's address and language are read when the mail is sent" },
  {
    table: 'user_blocks',
    by: ['discover'],
    why: 'blocks between people decide which rows a list counts and shows, so they are checked in the statement that reads the rows',
  },
  ...['participations', 'all_events', 'groups'].map((table) => ({
    table,
    by: ['notifications'],
    why: 'the recipients of a notice are selected when it is written, in one INSERT … SELECT for any number of people',
  })),
  ...['comments', 'posts'].map((table) => ({
    table,
    by: ['notifications'],
    why: 'a notice quotes a comment only while the comment is visible, so the text is read together with the notice',
  })),
  {
    table: 'event_messages',
    by: ['notifications'],
    why: "a notice shows an organizer's message only while the message is visible, so the text is read together with the notice",
  },
  {
    table: 'all_events',
    by: ['messages'],
    why: 'the messages of an erased account are found by the events of the account, including removed events, in one statement',
  },
  {
    table: 'participations',
    by: ['statistics'],
    why: 'no other code needs the numbers of participants by status and of check-ins, so the owner has no reader for them',
  },
  {
    table: 'participations',
    by: ['comments'],
    why: 'the statement that selects the recipients of a notice about a comment checks whether they still see the event',
  },
  {
    table: 'users',
    by: ['discover'],
    why: 'a filter contains the slug of an organizer, and the statement of the list finds the account with this slug',
  },
  {
    table: 'users',
    by: ['people'],
    why: 'one statement finds people and excludes hidden people, so that the total is exact',
  },
  {
    table: 'participations',
    by: ['posts'],
    why: 'the statement of a list of posts also decides whether the viewer sees the event of a post',
  },
  {
    table: 'events',
    by: ['participation', 'group-events'],
    why: "one statement reads a list of events together with the viewer's relation to each event",
  },
  {
    table: 'all_events',
    by: ['discover'],
    why: 'live_events contains only visible events, so Discover reads these events without another check (docs/adr/0021-out-of-sight.md)',
  },
  {
    table: 'events',
    by: ['notifications'],
    why: 'notices copy the current title and start of thousands of events in one statement',
  },
  {
    table: 'events',
    by: ['series'],
    why: 'a series is shown with the number of its occurrences, counted in the statement that reads the series',
  },
  {
    table: 'groups',
    by: ['events'],
    why: "the visibility of an event's group is decided in the statement that reads the event",
  },
  {
    table: 'events',
    by: ['posts'],
    why: "a post's event decides who sees the post and in which group's feed it is, so the statements that read posts also read events",
  },
  {
    table: 'events',
    by: ['expenses', 'gallery'],
    why: "whether the viewer may manage a row depends on the event's organizer, which is read in the statement of the row",
  },
  ...['events', 'posts'].map((table) => ({
    table,
    by: ['comments'],
    why: 'statements about comments also select the organizer or author for a notice, check whether strangers see the subject, and lock the subject',
  })),
  {
    table: 'users',
    by: ['series'],
    why: 'a series has a public calendar only if its organizer is not banned, which is checked in one statement',
  },
  {
    table: 'events',
    by: ['calendars'],
    why: 'a calendar lists events with columns that no other list needs, in one statement',
  },
  ...['users', 'events', 'series', 'groups', 'posts', 'comments', 'gallery_photos', 'puls_posts', 'event_messages'].map(
    (table) => ({
      table,
      by: ['moderation'],
      why: 'a report stores a copy of the reported object and its author; for each kind of object, one statement reads both',
    }),
  ),
  {
    table: 'all_events',
    by: ['participation'],
    why: 'one statement deletes the participations of an erased account, except bans and confirmed participations in ended events; the account can also be in removed events',
  },
  ...['all_posts', 'all_comments', 'expenses'].map((table) => ({
    table,
    by: ['own-data'],
    why: 'the statement that exports a row also reads the object to which the row belongs',
  })),
  {
    table: 'users',
    by: ['own-data'],
    why: 'an export contains the slugs of the other people in a row, which are read in the statement of the row',
  },
  ...['webhooks', 'all_events'].map((table) => ({
    table,
    by: ['own-data'],
    why: 'some rows of an export belong to the account through a webhook or an event, which the statement of these rows also reads',
  })),
  {
    table: 'participations',
    by: ['calendars'],
    why: "the events of an account's calendar are selected in the statement that reads them",
  },
  {
    table: 'participations',
    by: ['events'],
    why: "the visibility of an event and the viewer's relation to it are read in one round trip",
  },
  {
    table: 'participations',
    by: ['discover'],
    why: 'a ban from an event decides whether a list counts and shows the event, so the statement of the list reads the bans',
  },
  {
    table: 'participations',
    by: ['group-events'],
    why: 'a private event is listed only for its participants, so the statement of the list reads the participations',
  },
  {
    table: 'participations',
    by: ['expenses'],
    why: "the people who can share an event's expenses are the organizer and the confirmed participants; one statement reads them with their accounts",
  },
];
