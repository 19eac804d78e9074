/** What may happen to an account, or to one thing that gives access. */
export const ACCESS_EVENTS = [
  'new_password',
  'new_address',
  'sign_out',
  'ban',
  'erasure',
  'expiry',
  'use',
  'revocation',
] as const;
export type AccessEvent = (typeof ACCESS_EVENTS)[number];

/** `ends`: the thing opens nothing afterwards. `stays`: it works as before. `none`: the event cannot happen to it. */
export type AccessAfter = 'ends' | 'stays' | 'none';

/**
 * Everything that lets somebody into an account or to something of its own, and what ends it. test/identity/access.spec.ts makes each thing,
 * lets each event happen, and looks. `sign_out` is that of the browser where the thing was got; `use` is one successful use before;
 * `revocation` is what its page or command offers: revoke, renew, remove, end, or ask for a newer one.
 */
export const ACCESS = {
  /** A browser that is signed in. `new_password` is set in another one. */
  session: {
    new_password: 'ends',
    new_address: 'stays',
    sign_out: 'ends',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'stays',
    revocation: 'ends',
  },
  /** A password was shown, and the second step waits. */
  half_session: {
    new_password: 'ends',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'ends',
    revocation: 'none',
  },
  /** Spares a browser from the limit on everybody's tries at an address (PAGE-18). It opens nothing by itself. */
  known_device: {
    new_password: 'stays',
    new_address: 'ends',
    sign_out: 'stays',
    ban: 'none',
    erasure: 'none',
    expiry: 'none',
    use: 'stays',
    revocation: 'none',
  },
  api_token: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'stays',
    revocation: 'ends',
  },
  /** In a mail to an address that is no account's. */
  registration_link: {
    new_password: 'none',
    new_address: 'none',
    sign_out: 'none',
    ban: 'none',
    erasure: 'none',
    expiry: 'ends',
    use: 'ends',
    revocation: 'none',
  },
  reset_link: {
    new_password: 'ends',
    new_address: 'ends',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'ends',
    revocation: 'ends',
  },
  address_link: {
    new_password: 'ends',
    new_address: 'ends',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'ends',
    revocation: 'ends',
  },
  passkey: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'none',
    use: 'stays',
    revocation: 'ends',
  },
  /** What a browser was asked to show a passkey by; it belongs to no account. */
  passkey_challenge: {
    new_password: 'none',
    new_address: 'none',
    sign_out: 'none',
    ban: 'none',
    erasure: 'none',
    expiry: 'ends',
    use: 'ends',
    revocation: 'none',
  },
  /** Shown by an app after the password. */
  app_code: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'ends',
    revocation: 'ends',
  },
  recovery_code: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'none',
    use: 'ends',
    revocation: 'ends',
  },
  /** The archive of one's own data, for who is signed in. */
  own_data_archive: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'stays',
    revocation: 'none',
  },
  /** While an erased account can still be had back, for who is signed in. */
  erasure_take_back: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'none',
    revocation: 'none',
  },
  calendar_address: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'none',
    use: 'stays',
    revocation: 'ends',
  },
  /** The address in a mail by which mails of a kind are stopped, without signing in. */
  unsubscribe_link: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'stays',
    erasure: 'ends',
    expiry: 'none',
    use: 'stays',
    revocation: 'none',
  },
  /** The address in a mail by which its author objects to a decision, without signing in: the banned too. */
  objection_link: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'stays',
    erasure: 'ends',
    expiry: 'none',
    use: 'stays',
    revocation: 'none',
  },
  /** The permanent address that leads others into a group. */
  group_invite_link: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'stays',
    erasure: 'ends',
    expiry: 'none',
    use: 'stays',
    revocation: 'none',
  },
} as const satisfies Record<string, Record<AccessEvent, AccessAfter>>;
export type Access = keyof typeof ACCESS;
