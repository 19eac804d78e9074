import { each, HASH, INTERNAL, ITSELF, SECRET, exported, withheld, type PersonalTable } from './column';

const OF_THE_GROUP =
  'it belongs to the group; the member who joined first becomes the owner; a group without other members is deleted';
const TO_BE_KEPT = 'decisions have to be kept';

/**
 * Tables with groups, posts, comments, Puls posts, reports and decisions, and tables in which the service records
 * actions: the audit log, the changes and the stored responses.
 */
export const OTHER_TABLES: Readonly<Record<string, PersonalTable>> = {
  all_groups: {
    mine: 'owner_id = $1',
    file: 'groups',
    columns: {
      id: exported('stays', 'group', OF_THE_GROUP),
      owner_id: withheld('passes', ITSELF),
      ...each(
        ['name', 'description', 'is_public', 'location_name', 'latitude', 'longitude', 'created_at', 'updated_at'],
        exported('stays', 'value', OF_THE_GROUP),
      ),
      ...each(['avatar_key', 'cover_key'], exported('stays', 'file', OF_THE_GROUP)),
      invite_code: withheld('stays', SECRET),
    },
    notPersonal: ['place', 'cell', 'members_count', 'version', 'removed_at'],
  },
  group_members: {
    mine: 'user_id = $1',
    file: 'memberships',
    columns: {
      group_id: exported('goes', 'group'),
      user_id: withheld('goes', ITSELF),
      ...each(['role', 'joined_at', 'created_at'], exported('goes')),
    },
    notPersonal: [],
  },
  group_chats: {
    columns: { name: withheld('stays', 'it equals the name of the group', OF_THE_GROUP) },
    notPersonal: ['id', 'group_id', 'created_at'],
  },
  all_posts: {
    mine: 'author_id = $1',
    file: 'posts',
    columns: {
      id: withheld('goes', INTERNAL),
      author_id: withheld('goes', ITSELF),
      event_id: exported('goes', 'event'),
      cover_key: exported('goes', 'file'),
      ...each(
        [
          'slug',
          'title',
          'excerpt',
          'body',
          'categories',
          'location',
          'status',
          'published_at',
          'created_at',
          'updated_at',
        ],
        exported('goes'),
      ),
    },
    notPersonal: ['version', 'removed_at'],
  },
  all_comments: {
    mine: 'author_id = $1',
    file: 'comments',
    columns: {
      id: exported('stays', 'comment', 'the replies stay too'),
      root_id: exported('stays', 'comment'),
      // A reply has the event or post of its root.
      event_id: {
        ...exported('stays', 'event'),
        sql: 'coalesce(t.event_id, (SELECT root.event_id FROM all_comments root WHERE root.id = t.root_id))',
      },
      post_id: {
        ...exported('stays', 'post_slug'),
        as: 'post',
        sql: 'coalesce(t.post_id, (SELECT root.post_id FROM all_comments root WHERE root.id = t.root_id))',
      },
      author_id: withheld('pseudonymised', ITSELF, 'a different pseudonym in each event or post'),
      body: exported('emptied'),
      image_key: exported('emptied', 'file'),
      created_at: exported('stays'),
    },
    notPersonal: ['removed_at', 'emptied'],
  },
  all_puls_posts: {
    mine: 'author_id = $1',
    file: 'puls',
    columns: {
      id: exported('goes', 'puls'),
      author_id: withheld('goes', ITSELF),
      ...each(['image_key', 'video_key'], exported('goes', 'file')),
      ...each(
        ['body', 'latitude', 'longitude', 'location_name', 'likes_count', 'paid', 'created_at', 'expires_at'],
        exported('goes'),
      ),
    },
    notPersonal: ['place', 'removed_at'],
  },
  content_removals: {
    columns: {
      subject_id: withheld('goes', INTERNAL),
      reason: withheld('goes', 'the author of the content received the reason in a notice'),
      removed_by: withheld('emptied', 'it refers to a moderator'),
    },
    notPersonal: ['kind', 'removed_at'],
  },
  reports: {
    mine: 'reporter_id = $1',
    file: 'reports',
    columns: {
      id: exported('stays', 'report'),
      reporter_id: withheld('emptied', ITSELF),
      ...each(
        ['reporter_email', 'reporter_name', 'reporter_locale'],
        withheld('emptied', 'only reports of people without an account have it'),
      ),
      ...each(['subject_type', 'reason', 'outcome', 'decided_at', 'created_at'], exported('stays')),
      subject_sent: exported('emptied', 'value', 'in reports on the person and on the person’s posts'),
      note: exported('emptied', 'value', 'in the person’s own reports'),
      subject_id: withheld('stays', INTERNAL),
      author_id: withheld('emptied', 'it refers to another person'),
      snapshot: withheld('emptied', 'it is content of another person', 'in reports on the person’s content'),
    },
    notPersonal: ['answer_queued_at', 'answer_mailed_at'],
  },
  moderation_decisions: {
    mine: 'author_id = $1',
    file: 'decisions',
    columns: {
      id: exported('stays', 'decision', TO_BE_KEPT),
      author_id: withheld('emptied', ITSELF),
      subject_id: withheld('stays', INTERNAL),
      ...each(
        [
          'subject_type',
          'action',
          'days',
          'reason',
          'decided_at',
          'objected_at',
          'objection_granted',
          'objection_answer',
          'objection_decided_at',
        ],
        exported('stays', 'value', TO_BE_KEPT),
      ),
      objection: exported('emptied'),
      objection_hash: withheld('emptied', HASH),
      ...each(['decided_by', 'objection_decided_by'], withheld('emptied', 'it refers to a moderator')),
      ...each(['subject_sent', 'snapshot'], withheld('emptied', 'the content itself is in the export')),
    },
    notPersonal: [],
  },
  audit_entries: {
    columns: each(
      ['actor_id', 'subject', 'reason', 'details'],
      withheld('stays', 'the log of operators and moderators', 'nobody can change it'),
    ),
    notPersonal: ['number', 'at', 'action', 'operator', 'hash'],
  },
  changes: {
    columns: {
      ...each(
        ['topic_id', 'subject_id', 'person_id', 'by_id'],
        withheld(
          'pseudonymised',
          'it describes data that the export already contains',
          'entries that concern only the person are deleted immediately, all others after some weeks',
        ),
      ),
      subject_text: withheld('goes', 'it describes data that the export already contains'),
    },
    notPersonal: ['id', 'xid', 'at', 'topic_kind', 'type', 'parent_id', 'counted'],
  },
  unnumbered_changes: {
    columns: {
      ...each(
        ['topic_id', 'subject_id', 'person_id', 'by_id'],
        withheld(
          'pseudonymised',
          'it describes data that the export already contains',
          'like a row of `changes`; the row is moved to that table within a second',
        ),
      ),
      subject_text: withheld(
        'goes',
        'it describes data that the export already contains',
        'the row is moved to `changes` within a second',
      ),
    },
    notPersonal: ['written', 'xid', 'at', 'topic_kind', 'type', 'parent_id', 'counted'],
  },
  change_holds: { columns: { account_id: withheld('goes', INTERNAL) }, notPersonal: ['id', 'kind', 'until'] },
  request_claims: { columns: { account_id: withheld('goes', INTERNAL) }, notPersonal: ['key_hash', 'holder', 'until'] },
  kept_answers: {
    columns: {
      account_id: withheld('goes', INTERNAL),
      answer: withheld(
        'stays',
        'it is encrypted',
        'a stored response to another person’s request may contain data of the person; only the sender of that request can get it again',
      ),
    },
    notPersonal: ['key_hash', 'kept_at'],
  },
};

/** The contents of the tables without personal data, by the name of the table. */
export const TABLES_WITHOUT_PERSONAL_DATA: Readonly<Record<string, string>> = {
  app_interactions: 'requests of apps that wait for a person’s answer in a browser, for an hour at most',
  app_registrations: 'hashes of networks, with the times of registrations',
  audit_head: 'the end of the audit log',
  change_feed: 'the number of the latest entry of the feed of changes',
  database_files: 'the digests of the SQL files that were applied',
  door_packs: 'a random key of an event',
  event_days: 'counts for each event and day, without people',
  group_cells: 'the number of groups in each cell of the map',
  installation: 'data about the installation',
  job_runs: 'when jobs ran, and the numbers in their results',
  kept_answer_keys: 'keys of the installation',
  live_grams: 'how many events contain a part of a word',
  live_words: 'how many events contain a word',
  maintenance: 'the state of the installation',
  media_files: 'random names of files; the columns that refer to them show the owner',
  migrations: 'the applied migrations',
  push_keys: 'the key pair of the installation',
  public_id_salts: 'salts of the installation',
  schema_floor: 'the name of the migration that every server must know',
  used_challenges: 'random numbers that a passkey has signed',
};
