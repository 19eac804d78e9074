/** The bytes of one megabyte, for file sizes (LIM-6). */
const MB = 1_048_576;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/**
 * The numbers of docs/rules, grouped by resource. All other code uses LIMITS instead of the numbers; some texts and
 * comments repeat a number. A few technical numbers of the rules, such as the maximum number of pixels of a picture,
 * are constants in the file that uses them. Unless the name or the comment of a number states another unit, lengths are
 * in Unicode code points of the trimmed input, sizes in bytes, and windows and durations in seconds. `min` and `max`
 * themselves are allowed values.
 */
export const LIMITS = {
  /** Limits shared by all routes. */
  pagination: { page: { min: 1 }, per_page: { min: 1, max: 100, default: 20 } },
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  requests: { per_token: 60, per_ip: 300, window: MINUTE, retry_after_min: 1 },
  /**
   * Maintenance: the length of the operator's message, and the seconds after which a client should retry a refused
   * change.
   */
  maintenance: { message: { min: 1, max: 300 }, retry_after: 60 },
  request_id: { max: 128 },
  /**
   * The allowed years of a datetime or day in a request. All these years have four digits, and PostgreSQL can store
   * them.
   */
  years: { min: 1900, max: 9999 },
  slug: { max: 80 },
  /** `depth`: maximum nesting of a JSON body. `compression_min_bytes`: smaller responses are not compressed. */
  transport: { json_body: MB, depth: 32, compression_min_bytes: 1024 },
  transaction: { attempts: 3 },

  /**
   * Work that continues outside a request or occupies resources for a long time (LIM-15 to LIM-17).
   *
   * - `account`, `address`, `all`: how much of this work may run at a time for one account, for the network of one
   *   client address, and in total.
   * - These maximums apply to the work of all processes together: both maximums of `exports`, and `account` of
   *   `streams`, `waits`, `webhooks`, `slow_webhooks`, `push` and `slow_push`. Each other maximum applies to the work
   *   of one process.
   * - `bodies`: request bodies that are being received. `names`: host names that are being resolved.
   * - `slow_webhooks`, `slow_push`: deliveries to receivers that were slow at the last attempt. `waits`: requests that
   *   wait for changes.
   */
  shares: {
    names: { account: 2, all: 20 },
    bodies: { account: 4, address: 16, all: 128 },
    pictures: { account: 2, all: 2 },
    heavy_pictures: { account: 1, all: 1 },
    videos: { account: 1, all: 1 },
    exports: { account: 1, all: 2 },
    webhooks: { account: 3, all: 100 },
    slow_webhooks: { account: 2, all: 50 },
    push: { account: 3, all: 50 },
    slow_push: { account: 2, all: 25 },
    streams: { account: 3, all: 10_000 },
    waits: { account: 10, all: 10_000 },
  },

  /**
   * Resolution of host names that accounts have entered; seconds. `tries`: number of queries to each nameserver;
   * `answer`: timeout of the first query; `within`: maximum time for one name; `wait`: maximum time in the queue;
   * `failure_kept`: how long the server waits before it sends further queries for a name that could not be resolved;
   * `failures`: maximum number of names that are stored because they could not be resolved.
   */
  names: { answer: 1, tries: 3, within: 4, wait: 4, failure_kept: MINUTE, failures: 1_000 },

  /**
   * The feed of changes. `kept` is the default of CHANGES_KEEP_SECONDS. `held.lease`: how long a stream, or a request
   * that waits for changes, still counts towards the account's maximum after its server has died. `heartbeat`: interval
   * between two heartbeats of a stream.
   */
  changes: {
    limit: { min: 1, max: 100, default: 100 },
    wait: { min: 1, max: 25 },
    cursor: { max: 12_000 },
    types: { max: 2_000 },
    /** Maximum bytes of a page of `GET /changes` that contains the changed objects. */
    page_bytes: 1_000_000,
    kept: 30 * DAY,
    held: { lease: 30 },
    heartbeat: 10,
  },

  /**
   * Retries. `key`: length of an Idempotency-Key in characters. `kept`, `kept_per_account`: a stored response is
   * deleted when it is older than `kept` and is not among the latest `kept_per_account` of its account. `wait`: how
   * long a repeated request waits for the first request with the same key. `lease`: how long a key still counts as in
   * use after the server of its request has died.
   */
  retries: { key: { min: 1, max: 255 }, kept: DAY, kept_per_account: 100_000, wait: 1, lease: 15 },

  /** The request log: how long requests are listed, how many are listed, and the maximum lengths of stored texts. */
  request_log: { seconds: 7 * DAY, listed: 10_000, path: 512, user_agent: 512 },

  /**
   * API tokens. `last_used_accuracy`: maximum seconds by which the stored `last_used_at` of a token, or of a door link,
   * may be older than the last use (ACC-9).
   */
  tokens: { per_account: 10, random_bits: 160, last_used_accuracy: 5 * MINUTE, name: { min: 1, max: 100 } },

  /**
   * Attempts to enter a password; PAGE-18. `per_device` counts the attempts from a known device. The other maximums
   * count the attempts from all other devices. `per_ip` also counts registrations, second steps, requests for mailed
   * links, and reports of visitors without an account. A completed sign-in, or the correct password of a signed-in
   * person, resets the counts to which this attempt was added, except `per_ip`.
   */
  sign_in: { per_ip: 30, per_ip_and_email: 10, per_device: 10, per_email: 100, window: 15 * MINUTE },
  /** Web sessions; PAGE-6, PAGE-20. `device`: how long a device on which somebody has signed in stays known. */
  sessions: { per_account: 50, lifetime: 14 * DAY, device: 365 * DAY, accounts_per_device: 5 },
  /**
   * The second step of signing in (the rules STEP). `half_session`, `challenge`: lifetimes in seconds; `codes`:
   * attempts to enter a code, per account; `recovery_codes`: number of codes that an account gets; `passkeys`: maximum
   * number per account.
   */
  second_step: {
    half_session: 10 * MINUTE,
    challenge: 5 * MINUTE,
    codes: { max: 10, window: 15 * MINUTE },
    recovery_codes: 10,
    passkeys: 10,
    name: { min: 1, max: 60 },
  },
  /** Accounts and their settings; PAGE-7, ACC-11. */
  accounts: {
    name: { min: 1, max: 100 },
    nickname: { max: 50 },
    slug: { max: 60 },
    email: { max: 254 },
    password: { min: 8, max: 200 },
    timezone: { max: 60 },
    iban: { max: 42 },
    avatar_bytes: 5 * MB,
    form_bytes: 64 * 1024,
  },

  /**
   * Moderation; `reports_per_day`: per account and Europe/Prague day, and per e-mail address of a report without an
   * account in 24 hours; `kept`: how long removed content is stored, so that the author can object to the removal;
   * `days`: duration of a ban in days.
   */
  moderation: {
    reports_per_day: 20,
    note: { max: 2000 },
    reason: { min: 1, max: 1000 },
    kept: 30 * DAY,
    days: { min: 1, max: 3650 },
  },

  /** Calendars; `kept`: how long an event stays in calendars after its end or its cancellation. */
  calendars: { secret_bits: 256, kept: 30 * DAY },

  /** Atom feeds; `entries`: a feed contains at most this number of entries, the newest ones. */
  feeds: { entries: 100 },
  /**
   * All mails; seconds. `queued_within`: a mail that is not queued within this time after its cause is never sent.
   * Without this limit, all old notices would be mailed when a mail server is configured for the first time (JOIN-49).
   */
  mails: { queued_within: DAY },
  /**
   * Mails about accounts; seconds. `confirmation`, `reset`: validity of the links in the mails. `kept`: how long the
   * row of a mail is stored after the request for the mail.
   */
  account_mail: { confirmation: DAY, reset: 30 * MINUTE, per_address: { max: 5, window: HOUR }, kept: 3 * DAY },

  /**
   * Webhooks; seconds and bytes. `delays`: times between two attempts; the last value repeats. `answer`: the status
   * line must arrive within `within`; until the end of this time, at most `read` bytes of the body are read; `kept`
   * bytes are stored. `slow`: an attempt that takes at least this time counts as slow. `turn`: limits of a turn, which
   * is a series of attempts for one webhook. `former_secret`: how long messages are also signed with a replaced secret.
   */
  webhooks: {
    per_account: 5,
    url: { max: 500 },
    description: { max: 200 },
    former_secret: DAY,
    tries: { delays: [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY], give_up_after: 5 * DAY },
    answer: { within: 10, read: 65_536, kept: 1024 },
    slow: 1,
    turn: { messages: 200, seconds: 2 },
    deliveries_kept: 30 * DAY,
  },

  /**
   * Connected apps; seconds and bytes. `code`: how long a code may be exchanged for tokens; `device_code`: how long a
   * device waits for the person; `interaction`: how much time the person has to answer an app's request for access;
   * `refresh_again`: how long after its first use a refresh token is still accepted; `unused`: time after which an
   * unused grant ends; `registration_unused`: time after which a registered app without a grant is deleted;
   * `document.kept`: how long a metadata document is cached; `former_secret`: how long a replaced client secret is
   * still accepted; `ip_window`: requests per minute of an app with its own limit.
   */
  apps: {
    per_account: 10,
    name: { min: 2, max: 60 },
    homepage: { max: 500 },
    icon_bytes: MB,
    redirect_uris: { min: 1, max: 10 },
    redirect_uri: { max: 500 },
    former_secret: DAY,
    access_token: HOUR,
    code: MINUTE,
    device_code: 10 * MINUTE,
    interaction: HOUR,
    refresh_again: 30,
    used_refresh_kept: 90 * DAY,
    unused: 90 * DAY,
    grants_per_account: 100,
    registrations: { max: 10, window: HOUR },
    registration_unused: DAY,
    wrong_codes: { max: 10, window: HOUR },
    document: { address: 2000, bytes: 5 * 1024, kept: DAY, within: 5 },
    ip_window: { min: 1, max: 1_000_000 },
  },

  /**
   * Personal data; seconds. `export_kept`: lifetime of an export; `erasure_after`: time from the request for erasure
   * until the account is erased.
   */
  own_data: { export_kept: 7 * DAY, erasure_after: 14 * DAY },

  /**
   * Notices. `digest`: minimum seconds between two digests of one kind for an event (a digest is a notice about new
   * participants or new people on the waitlist). `quoted`: maximum characters of a quoted comment. `named`: maximum
   * number of people whom a digest names. `pushed`: how long after its creation a notice may be sent as a push message.
   * `mailed_again`: for how many seconds the repetition of an invitation or request is not mailed.
   */
  notices: { kept: 90 * DAY, digest: 3600, quoted: 100, named: 3, pushed: DAY, mailed_again: DAY },

  /**
   * Web push; seconds and bytes. `body`: maximum size of the encrypted message. `delays`: the times after the first,
   * the second … failed attempt until the next attempt.
   */
  push: {
    per_account: 10,
    endpoint: { max: 2000 },
    name: { max: 300 },
    auth_bytes: 16,
    body: 4096,
    tries: { delays: [10, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY] },
    answer_within: 5,
    messages_kept: 8 * DAY,
  },

  /** Events. */
  events: {
    title: { min: 3, max: 100 },
    description: { max: 5000 },
    location_name: { max: 100 },
    location_address: { max: 200 },
    join_password: { min: 1, max: 100 },
    max_participants: { min: 2, max: 100 },
    /** max_participants of an event with `seeking_company`. */
    seeking_company: { min: 2, max: 10 },
    age: { min: 1, max: 120 },
    price_czk: { min: 0, max: 10_000, decimals: 2 },
    price_note: { max: 50 },
    ticket_url: { max: 500 },
    offer_hours: { min: 1, max: 168 },
    /** An event without ends_at counts as over when this time has passed since starts_at. */
    over_after_start: 6 * HOUR,
    /** Maximum for POST /events and POST /series together, per account and Europe/Prague day. */
    created_per_day: 2,
    /** `per_event`: maximum number of an event's images. */
    images: { per_request: 10, bytes: 5 * MB, per_event: 100 },
  },

  /** Joining and participants. */
  participation: {
    pending_invitations_per_event: 100,
    pending_requests_per_event: 100,
    pending_requests_per_user: 20,
    waitlisted_per_event: 1000,
    wrong_passwords: { max: 10, window: 15 * MINUTE },
    tickets: { per_call: { min: 1, max: 100 }, per_event: 500, code_random_bits: 60 },
  },

  /**
   * The door; `ahead`: how many seconds the clock of a device may be ahead of the server's clock. `pack_bits`: length
   * of the key with which the check-in codes of an event are hashed. `after_end`: how long after the end of the event
   * its door links expire.
   */
  door: {
    device: { min: 1, max: 100 },
    scans: { min: 1, max: 500 },
    ahead: 5 * MINUTE,
    pack_bits: 256,
    links: { name: { min: 1, max: 60 }, per_event: 20, after_end: 12 * HOUR },
  },

  /** Discover: the query parameters of the list. */
  discover: {
    q: { max: 100, prefix_word_min: 3 },
    min_participants: { min: 0, max: 100 },
    radius_km: { min: 1, max: 200, default: 10 },
    ids: { max: 100, characters: 4_000 },
    bbox: { characters: 200 },
    cursor: { max: 200 },
  },

  /**
   * Places by name. `q`: length of a search; `text`: length of the place in the forms of an account; `listed`: maximum
   * number of results; `clearly`: a place that is at least this many times bigger than every other place with the same
   * name is chosen directly.
   */
  places: { q: { min: 2, max: 60 }, text: 150, listed: 10, clearly: 10 },

  /**
   * Import of events; bytes and seconds. `within`: maximum time for fetching a file, including redirects; `reading`:
   * maximum time for parsing the file; `choices`: maximum number of events of a file from which a person can choose.
   */
  imports: {
    per_account: { max: 20, window: HOUR },
    bytes: 2 * MB,
    redirects: 3,
    within: 10,
    reading: 10,
    choices: 50,
    form_bytes: 256 * 1024,
    url: { max: 2000 },
  },

  /** Searches for people per account; the lengths of `q` are in characters. */
  people: { q: { min: 2, max: 100 }, searches: { max: 30, window: MINUTE } },

  /** Series. */
  series: {
    interval: { min: 1, max: 52, default: 1 },
    occurrences_limit: { min: 2, max: 104 },
    duration_minutes: { min: 15, max: 1440 },
    live_per_account: 5,
    /** How far ahead occurrences are created. */
    generated_ahead: 8 * WEEK,
  },

  /** Groups. */
  groups: {
    name: { min: 2, max: 60 },
    description: { max: 500 },
    location_name: { max: 100 },
    founded_per_account: 5,
    pending_invitations: 30,
    avatar_bytes: 2 * MB,
    cover_bytes: 5 * MB,
    radius_km: { min: 1, max: 200, default: 10 },
  },

  /** Blog posts. */
  posts: {
    title: { min: 3, max: 150 },
    categories: { min: 1, max: 3 },
    location: { max: 150 },
    excerpt: { max: 300 },
    body: { max: 20_000 },
    cover_bytes: 5 * MB,
  },

  /** Messages of organizers. `after_end`: how long after the end of an event its organizer may send messages. */
  messages: { text: { min: 1, max: 2_000 }, per_day: 3, after_end: WEEK },

  /** Statistics. */
  statistics: { days: { max: 400 }, check_ins: { every: 15 * MINUTE } },

  /** Comments. */
  comments: {
    body: { max: 2000 },
    image_bytes: 15 * MB,
    per_user: { max: 10, window: MINUTE },
    threads_per_event: 100,
  },

  /** Expenses. `amount` is in currency units and has at most two decimals. */
  expenses: {
    title: { max: 255 },
    amount: { min: 0.01, max: 999_999, decimals: 2 },
    /**
     * Number of people named in a request. Without names, the organizer and all confirmed participants share the
     * expense.
     */
    shared_with: { min: 1, max: 1000 },
    per_event: 50,
    payments_per_event: 200,
    /**
     * Settlements: for up to `exact_people` people with a balance, the number of payments is always minimal. For more
     * people, a computation that takes longer than `budget_ms` milliseconds is replaced by a simple settlement
     * (`Settlements`).
     */
    settlement: { exact_people: 20, budget_ms: 1000 },
    payment_message: { max: 60 },
    /**
     * The QR code for a SEPA payment (standard EPC069-12): bytes of the whole code in UTF-8, and UTF-16 units of the
     * receiver's name and of the payment message ("unstructured remittance").
     */
    epc: { bytes: { max: 331 }, name: { max: 70 }, remittance: { max: 140 } },
  },

  /** Puls posts. */
  puls: {
    location_name: { max: 100 },
    body: { max: 500 },
    image_bytes: 5 * MB,
    video_bytes: 20 * MB,
    video_length: 6,
    video_side_px: 1280,
    free_active: 1,
    active: 2,
    created_per_day: 3,
    lifetime: DAY,
    feed: { radius_km: { min: 1, max: 50, default: 10 }, limit: { min: 1, max: 100, default: 50 }, max_counted: 500 },
  },

  /** Photos of an event’s gallery. */
  gallery: { per_user: 10, per_request: { min: 1, max: 10 }, bytes: 15 * MB },

  /** Limits of the operator's commands for events and credits, and of the documents of the command `apply`. */
  apply: {
    credits: { min: 0, max: 1_000_000 },
    grant: { min: 1, max: 1_000_000 },
    source: { name: { min: 1, max: 100 }, url: { max: 500 } },
    key: { max: 500 },
  },

  /** Itineraries of events. */
  itinerary: {
    title: { min: 3, max: 120 },
    description: { max: 2000 },
    stops: { min: 1, max: 50 },
    stop: {
      title: { max: 120 },
      notes: { max: 500 },
      location_name: { max: 120 },
      duration_minutes: { min: 1, max: 1440 },
    },
  },
} as const;
