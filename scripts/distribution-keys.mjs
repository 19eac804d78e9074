// This list states how Citus would distribute each table of docs/schema.sql over several PostgreSQL servers
// (docs/adr/0470-past-one-primary.md). `column` is the distribution key: the hash of its value selects the shard.
// `kind` is the kind of object that the key identifies. Rows of tables with the same `kind` and the same value are
// stored on one server. Statements, foreign keys and transactions about one event therefore need only one server.
// `isNew`: the column does not exist yet. `reference`: every server has a copy of the table. `local`: the table is only
// on the coordinator (the server that receives the statements of the service). The reasons are printed in
// docs/distribution.md.

const event = (column, reason, isNew = false) => ({ column, kind: 'event', reason, isNew });
const account = (column, reason, isNew = false) => ({ column, kind: 'account', reason, isNew });
const group = (column, reason) => ({ column, kind: 'group', reason, isNew: false });
const keyed = (column, kind, reason) => ({ column, kind, reason, isNew: false });
const reference = (reason) => ({ reference: true, reason });
const local = (reason) => ({ local: true, reason });

const OF_THE_EVENT = 'read and changed together with its event';
const OF_THE_ACCOUNT = 'read and changed for one account at a time';
const SHORT_LIVED = 'few rows, which are deleted after minutes or hours';
const OF_THE_INSTALLATION = 'one row or a few rows for the whole installation';

export const DISTRIBUTION = {
  // The installation
  database_files: local('written by migrations only'),
  migrations: local('written by migrations only'),
  schema_floor: local(OF_THE_INSTALLATION),
  maintenance: local(OF_THE_INSTALLATION),
  job_runs: local('each job runs once for the whole installation'),
  installation: local(OF_THE_INSTALLATION),
  public_id_salts: local(OF_THE_INSTALLATION),
  kept_answer_keys: local(OF_THE_INSTALLATION),
  push_keys: local(OF_THE_INSTALLATION),
  audit_entries: local('each entry contains the hash of the previous entry, so one server has to write all entries'),
  audit_head: local('changed together with audit_entries'),

  // Events
  all_events: event('id', 'most writes change one event'),
  event_images: event('event_id', OF_THE_EVENT),
  event_changes: event('event_id', OF_THE_EVENT),
  event_reminders: event('event_id', OF_THE_EVENT),
  event_days: event('event_id', OF_THE_EVENT),
  event_digests: event('event_id', OF_THE_EVENT),
  participations: event('event_id', 'when a person joins, one statement changes the event and the participation'),
  tickets: event('event_id', OF_THE_EVENT),
  wrong_passwords: event('event_id', OF_THE_EVENT),
  door_links: event('event_id', OF_THE_EVENT),
  door_marks: event('event_id', OF_THE_EVENT),
  door_packs: event('event_id', OF_THE_EVENT),
  all_event_messages: event('event_id', OF_THE_EVENT),
  event_message_recipients: event('event_id', OF_THE_EVENT, true),
  all_gallery_photos: event('event_id', OF_THE_EVENT),
  itineraries: event('event_id', OF_THE_EVENT),
  expenses: event('event_id', OF_THE_EVENT),
  expense_shares: event('event_id', OF_THE_EVENT, true),
  expense_payments: event('event_id', OF_THE_EVENT),
  live_events: event(
    'id',
    'updated by triggers on all_events, all_series and users; a page of Discover reads the first rows of every shard and merges them',
  ),
  live_event_changes: event(
    'id',
    'written together with the row of live_events; the transaction ids in the column xid can be compared only within one server',
  ),
  group_interests: event('event_id', 'deleted with its event; read by event more often than by group'),

  // Accounts
  users: account(
    'id',
    'a change concerns one account; with Citus, a list that shows people (for example comments with their authors) needs a second statement to read them',
  ),
  tokens: account(
    'user_id',
    'read with the account at every request; with Citus, the token has to contain the id of the account',
  ),
  app_tokens: account('user_id', 'read like tokens, with the account at every request', true),
  token_forms: account('user_id', OF_THE_ACCOUNT),
  user_blocks: account('blocker_id', OF_THE_ACCOUNT),
  hidden_from_changes: account('user_id', OF_THE_ACCOUNT),
  web_sessions: account(
    'user_id',
    'read with the account at every page; with Citus, the cookie has to contain the id of the account',
  ),
  account_mails: account(
    'user_id',
    'read and changed for one account; a mail to an address without an account needs the id of the future account',
  ),
  half_sessions: account('user_id', OF_THE_ACCOUNT),
  passkeys: account('user_id', OF_THE_ACCOUNT),
  recovery_codes: account('user_id', OF_THE_ACCOUNT),
  second_step_tries: account('user_id', OF_THE_ACCOUNT),
  totp_secrets: account('user_id', OF_THE_ACCOUNT),
  daily_counters: account('user_id', OF_THE_ACCOUNT),
  kept_answers: account('account_id', OF_THE_ACCOUNT),
  request_claims: account('account_id', OF_THE_ACCOUNT),
  change_holds: account('account_id', OF_THE_ACCOUNT),
  credit_accounts: account('user_id', 'a statement locks the balance of one account'),
  credit_entries: account('user_id', 'an entry belongs to the account whose balance it changes'),
  credit_holds: account('user_id', 'a hold reduces the balance of its account'),
  event_imports: account('user_id', OF_THE_ACCOUNT),
  mail_choices: account('user_id', OF_THE_ACCOUNT),
  notifications: account(
    'user_id',
    'read by the account that receives it; one event causes notifications for many accounts',
  ),
  push_choices: account('user_id', OF_THE_ACCOUNT),
  push_subscriptions: account('user_id', OF_THE_ACCOUNT),
  push_messages: account('user_id', OF_THE_ACCOUNT, true),
  app_consents: account('user_id', OF_THE_ACCOUNT),
  app_grants: account('user_id', OF_THE_ACCOUNT),
  app_wrong_codes: account('user_id', OF_THE_ACCOUNT),
  people_searches: account('user_id', OF_THE_ACCOUNT),
  people_words: account('user_id', 'updated by triggers on users; a search reads every shard', true),
  comment_rates: account('user_id', OF_THE_ACCOUNT),
  calendar_addresses: account('user_id', OF_THE_ACCOUNT),
  webhooks: account('user_id', OF_THE_ACCOUNT),
  webhook_deliveries: account('user_id', 'stored on the server of its webhook', true),
  request_log: account('user_id', OF_THE_ACCOUNT),
  account_erasures: account('user_id', OF_THE_ACCOUNT),
  data_exports: account('user_id', OF_THE_ACCOUNT),

  // Groups, series, posts
  all_groups: group('id', 'most writes change one group'),
  group_members: group('group_id', 'a new member changes the number of members of the group'),
  group_chats: group('group_id', 'read and changed together with its group'),
  all_series: keyed(
    'id',
    'series',
    'a change concerns one series; its events have their own keys, and a job writes them in batches',
  ),
  all_posts: keyed('id', 'post', 'a change concerns one post'),
  all_puls_posts: keyed('id', 'puls', 'a change concerns one Puls post'),
  all_comments: {
    column: 'thread_id',
    kind: 'thread',
    isNew: true,
    reason: 'the id of the event or post, so that all its comments are on one server',
  },

  // Tables about things of any kind (an event, a group, …). Except for change_feed and media_files, the id of the thing
  // selects the shard.
  unnumbered_changes: keyed('topic_id', 'topic', 'written by triggers on the server of the changed thing'),
  changes: keyed(
    'topic_id',
    'topic',
    'numbered on the server of the changed thing; each server has its own sequence of numbers',
  ),
  change_feed: {
    column: 'server_id',
    kind: 'server',
    isNew: true,
    reason: 'one row for each server, with the last number that was assigned there',
  },
  content_removals: keyed('subject_id', 'subject', 'written together with the removed thing'),
  reports: keyed('subject_id', 'subject', 'reports of one thing are decided together'),
  moderation_decisions: keyed('subject_id', 'subject', 'stored on the server of the reports of the thing'),
  media_files: keyed(
    'key',
    'file',
    'a file can belong to content of any kind, so its own key is used; jobs delete files that no row refers to',
  ),

  // Small tables that are read together with many other tables
  apps: reference('a few thousand rows, read together with the tokens of apps'),
  group_cells: reference('at most one row for each cell of the map'),
  live_words: reference('the vocabulary of the search, rewritten by a job'),
  live_grams: reference('the vocabulary of the search, rewritten by a job'),

  // Mostly short-lived
  app_codes: local('codes, which are deleted after minutes or hours, and the refresh tokens of all grants'),
  app_interactions: local(SHORT_LIVED),
  app_registrations: local(SHORT_LIVED),
  used_challenges: local(SHORT_LIVED),
};
