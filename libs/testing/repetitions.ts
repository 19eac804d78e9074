/**
 * How often tests repeat random cases. The first number is for normal runs, the second number for thorough runs
 * (`TEST_THOROUGH=1`, every night). An environment variable with the name of an entry overrides its number:
 * `settlement_cases=100000 npx jest settle.spec`.
 */
const REPETITIONS = {
  /** Error codes that a test makes each route return. */
  codes_of_a_route: [3, 1000],
  /** Removals and bans during writes by other people. */
  removals: [3, 20],
  /** Random sequences of actions of a person who is then erased. */
  erasures: [2, 40],
  /** Random requests with hostile values to all routes. */
  hostile_requests: [300, 2500],
  /** Random uploads and deletions. A second test makes at least the same number, and kills the server once in 30 to 40. */
  random_uploads: [30, 200],
  /** Servers killed while people join an event. */
  kills: [1, 20],
  /** Servers killed while clients retry requests with idempotency keys. */
  retry_kills: [1, 20],
  /** Pairs of servers: the first is killed during a video conversion, the second is stopped during one. */
  conversion_ends: [1, 3],
  /**
   * Replacements of a server while clients follow the feed. Before the first, only the connections of the clients are
   * cut; before the second, the server is also stopped.
   */
  server_ends: [1, 2],
  /** Replacements of the server's secret, interrupted by a kill. */
  secret_kills: [1, 20],
  /** Backups interrupted by a kill, and the same number of interrupted restores. */
  backup_kills: [1, 20],
  /** Random sequences of steps whose results are compared with the model of participation. */
  model_sequences: [16, 304],
  /** Rounds in which all people join, leave, accept an offered seat or join the waitlist simultaneously. */
  waitlist_rounds: [6, 50],
  /** People in each of these rounds. */
  waitlist_people: [24, 200],
  /** Servers killed during such rounds. */
  waitlist_kills: [1, 20],
  /** Random sequences of 30 actions on pages, each compared with a dry run of the API. */
  page_walks: [4, 200],
  /** Random sequences of 25 changes. After each change some conditional responses are compared with full responses. */
  current_histories: [1, 60],
  /** Writes by each of several people while a replica stops and continues. */
  replica_histories: [8, 60],
  /** Rounds in which two servers get the same request with the same idempotency key at the same time. */
  replica_rounds: [20, 200],
  /** Random sequences of writes by twenty people in all areas. For each person a client follows the feed. */
  follower_sequences: [20, 1500],
  /** Writes in each of these sequences. */
  follower_steps: [5, 25],
  /**
   * Repetitions of a test in which twenty people together make 40 random writes. The field `object` of each entry in
   * the people's feeds is compared with a normal response.
   */
  objects_groups: [1, 25],
  /**
   * Events of a town. A client copies them. After the first copy, one event in ten is changed or created. Each page of
   * the list contains a tenth of the events.
   */
  mirror_events: [50, 1000],
  /** Rounds in which people try to join an event with 50 seats. */
  race_runs: [1, 20],
  /** People in each of these rounds, and in the other tests of simultaneous requests. A multiple of 20, at least 100. */
  race_people: [100, 500],
  /** Random sequences of changes to an event and its people, with a check of the notices that each person gets. */
  notice_histories: [6, 200],
  /** Rounds in which people (`race_people`) leave an event while somebody checks them in. */
  leaving_rounds: [1, 2],
  /** Random lists of balances whose settlement is compared with the optimum. */
  settlement_cases: [500, 2000],
  /** Random recurrence rules whose dates are compared with another implementation. */
  recurrence_rules: [150, 2000],
  /** Random sequences of scans and undos at a door. */
  door_scripts: [500, 5000],
  /** Groups of devices that send the same scans in different orders. */
  door_crowds: [3, 20],
  /** Random accounts whose calendars an independent parser reads. */
  calendar_accounts: [25, 500],
  /** Requests of ten people. Every request must be in the request log of its sender. */
  logged_requests: [150, 10_000],
  /** Random sets of events. Each is listed with 12 random combinations of filters, at three times. */
  discover_combinations: [8, 100],
  /** Random sequences of actions, after which GET /limits is compared with the number of further attempts that succeed. */
  limit_sequences: [4, 60],
  /** Random circles, each with a place nearby. A place outside the circle's bounding box must be outside the circle. */
  places: [1000, 5000],
} as const;

export function isThorough(): boolean {
  return process.env['TEST_THOROUGH'] === '1';
}

export function repetitions(name: keyof typeof REPETITIONS): number {
  const [usual, thorough] = REPETITIONS[name];
  return Number(process.env[name] || (isThorough() ? thorough : usual));
}
