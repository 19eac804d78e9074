import { each, HASH, INNER, ITSELF, SECRET, told, withheld, type PersonalTable } from './column';

/** What belongs to an account and to nothing else. */
export const ACCOUNT_TABLES: Readonly<Record<string, PersonalTable>> = {
  users: {
    mine: 'id = $1', file: 'account',
    columns: {
      id: told('goes', 'user'),
      ...each([
        'slug', 'name', 'nickname', 'email', 'locale', 'timezone', 'gender', 'iban', 'searchable', 'premium_until', 'verified', 'admin',
        'moderator', 'banned', 'banned_until', 'created_at', 'updated_at',
      ], told('goes')),
      birth_date: told('goes', 'day'),
      password_hash: withheld('goes', HASH),
      avatar_key: told('goes', 'file'),
    },
    nobodys: ['gone'],
  },
  tokens: {
    mine: 'user_id = $1', file: 'tokens',
    columns: {
      id: told('goes', 'token'),
      user_id: withheld('goes', ITSELF),
      ...each(['name', 'access', 'expires_at', 'last_used_at', 'created_at'], told('goes')),
      hash: withheld('goes', HASH),
      tail: withheld('goes', SECRET),
    },
    nobodys: [],
  },
  token_forms: { columns: { ...each(['user_id', 'form', 'used_at'], withheld('goes', INNER)) }, nobodys: [] },
  web_sessions: {
    mine: 'user_id = $1', file: 'sessions',
    columns: {
      user_id: withheld('goes', ITSELF),
      id: withheld('goes', INNER),
      key_hash: withheld('goes', HASH),
      ...each(['user_agent', 'created_at', 'last_seen_at', 'expires_at'], told('goes')),
    },
    nobodys: [],
  },
  totp_secrets: {
    mine: 'user_id = $1', file: 'second-step',
    columns: {
      user_id: withheld('goes', ITSELF), secret_sealed: withheld('goes', SECRET), used_step: withheld('goes', INNER),
      ...each(['created_at', 'confirmed_at'], told('goes')),
    },
    nobodys: [],
  },
  passkeys: {
    mine: 'user_id = $1', file: 'passkeys',
    columns: {
      user_id: withheld('goes', ITSELF), id: withheld('goes', INNER), ...each(['name', 'created_at', 'last_used_at'], told('goes')),
      ...each(['credential_id', 'public_key', 'counter', 'transports'], withheld('goes', INNER)),
    },
    nobodys: [],
  },
  recovery_codes: { columns: { user_id: withheld('goes', ITSELF), code_hash: withheld('goes', HASH) }, nobodys: [] },
  half_sessions: { columns: { user_id: withheld('goes', ITSELF), key_hash: withheld('goes', HASH), password_seen: withheld('goes', HASH) }, nobodys: ['expires_at'] },
  second_step_tries: { columns: each(['user_id', 'tried_at'], withheld('goes', INNER)), nobodys: [] },
  user_blocks: {
    mine: 'blocker_id = $1', file: 'blocks',
    columns: {
      blocker_id: withheld('goes', ITSELF, 'who blocks them is not in the export'),
      blocked_id: told('goes', 'person'),
      created_at: told('goes'),
    },
    nobodys: [],
  },
  account_mails: {
    mine: 'user_id = $1', file: 'account-mails',
    columns: {
      user_id: withheld('goes', ITSELF),
      ...each(['kind', 'address', 'locale', 'name', 'next_path', 'created_at', 'queued_at', 'mailed_at', 'expires_at', 'used_at'], told('goes', 'value', 'mails to their address that name no account too')),
      ...each(['password_hash', 'token_hash'], withheld('goes', HASH)),
    },
    nobodys: ['id'],
  },
  mail_choices: {
    mine: 'user_id = $1', file: 'mail-choices',
    columns: { user_id: withheld('goes', ITSELF), key: withheld('goes', SECRET), stopped: told('goes') },
    nobodys: [],
  },
  calendar_addresses: {
    mine: 'user_id = $1', file: 'calendar-addresses',
    columns: { user_id: withheld('goes', ITSELF), secret_sealed: withheld('goes', SECRET), secret_hash: withheld('goes', HASH), created_at: told('goes') },
    nobodys: [],
  },
  daily_counters: {
    mine: 'user_id = $1', file: 'daily-counters',
    columns: { user_id: withheld('goes', ITSELF), ...each(['kind', 'taken'], told('goes')), day: told('goes', 'day') },
    nobodys: [],
  },
  comment_rates: { columns: each(['user_id', 'sent_at'], withheld('goes', INNER)), nobodys: [] },
  webhooks: {
    mine: 'user_id = $1', file: 'webhooks',
    columns: {
      id: told('goes', 'webhook'),
      user_id: withheld('goes', ITSELF),
      ...each(['url', 'description', 'types', 'status', 'rotated_at', 'created_at', 'updated_at'], told('goes')),
      ...each(['secret_sealed', 'former_secret_sealed'], withheld('goes', SECRET)),
      ...each(['position', 'sent_cursor', 'seen_number', 'news_at', 'read_at', 'busy_until', 'is_slow', 'served_at'], withheld('goes', INNER)),
    },
    nobodys: [],
  },
  webhook_deliveries: {
    mine: 'webhook_id IN (SELECT id FROM webhooks WHERE user_id = $1)', file: 'webhook-deliveries',
    columns: {
      id: told('goes', 'webhook_delivery'),
      webhook_id: told('goes', 'webhook'),
      body: withheld('emptied', 'it tells of others', 'in messages to others they are a face'),
      ...each(['message_id', 'status', 'attempts', 'last_status', 'last_ms', 'answer', 'first_attempt_at', 'next_attempt_at', 'created_at', 'is_test', 'is_asked'], told('goes')),
    },
    nobodys: [],
  },
  notifications: {
    mine: 'user_id = $1', file: 'notices',
    columns: {
      id: told('goes', 'notice'),
      user_id: withheld('goes', ITSELF),
      ...each(['kind', 'subject_type', 'event_starts_at', 'created_at', 'queued_at', 'mailed_at', 'read_at'], told('goes')),
      event_id: told('goes', 'event'),
      event_title: told('stays', 'value', 'in what others were told of their events'),
      subject_id: withheld('goes', INNER),
      person_id: told('face', 'person', 'in what others were told of their doing'),
      words: told('emptied', 'value', 'in what others were told of what they reported'),
      refunded_credits: told('goes', 'count'),
    },
    nobodys: [],
  },
  credit_accounts: {
    mine: 'user_id = $1', file: 'credits',
    columns: { user_id: withheld('face', ITSELF), ...each(['balance', 'held'], told('stays', 'count', 'the ledger has to be kept')) },
    nobodys: [],
  },
  credit_entries: {
    mine: 'user_id = $1', file: 'credit-entries',
    columns: {
      user_id: withheld('face', ITSELF),
      ...each(['id', 'transfer', 'amount', 'hold_id'], told('stays', 'count', 'the ledger has to be kept')),
      ...each(['kind', 'account', 'created_at'], told('stays', 'value', 'the ledger has to be kept')),
    },
    nobodys: [],
  },
  credit_holds: {
    mine: 'user_id = $1', file: 'credit-holds',
    columns: {
      user_id: withheld('face', ITSELF),
      event_id: told('stays', 'event', 'the ledger has to be kept'),
      ...each(['id', 'amount'], told('stays', 'count', 'the ledger has to be kept')),
      ...each(['status', 'created_at', 'settled_at'], told('stays', 'value', 'the ledger has to be kept')),
    },
    nobodys: [],
  },
  account_erasures: {
    mine: 'user_id = $1', file: 'erasure',
    columns: { user_id: withheld('goes', ITSELF), ...each(['asked_at', 'due_at'], told('goes')) },
    nobodys: [],
  },
  data_exports: {
    mine: 'user_id = $1', file: 'exports',
    columns: {
      user_id: withheld('goes', ITSELF),
      file: withheld('goes', SECRET, 'the archive itself goes too'),
      ...each(['status', 'asked_at', 'expires_at'], told('goes')),
      bytes: told('goes', 'count'),
    },
    nobodys: ['id', 'done', 'total'],
  },
};
