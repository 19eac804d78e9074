/**
 * The events (not social events), such as a new password, that can end the access that a credential gives. Some events
 * concern the whole account, others concern only one credential, such as a token or a link.
 */
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

/**
 * The effect of an event on a credential. `ends`: the credential gives no access afterwards. `stays`: the credential
 * works as before. `none`: the event cannot happen to the credential, or a test cannot cause it or observe its effect.
 */
export type AccessAfter = 'ends' | 'stays' | 'none';

/**
 * The effect of each event on each credential. The list contains all credentials that give access to an account or to
 * its objects, and the cookie of a known device, which only helps to sign in. test/identity/access.spec.ts creates each
 * credential, triggers each event whose effect is not `none`, and checks the access.
 *
 * - `sign_out`: the person signs out in the browser in which the credential was created.
 * - `use`: the credential has been used successfully once.
 * - `revocation`: the credential is revoked, renewed or removed, or a newer credential of the same kind is requested.
 */
export const ACCESS = {
  /** A signed-in browser. `new_password` means that the password is changed in another browser. */
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
  /** The half-finished sign-in of a browser: the password was verified, and the second step is pending. */
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
  /**
   * The cookie of a browser in which the account has signed in. Sign-in attempts from this browser are counted
   * separately, so attempts from other devices do not block this browser (PAGE-18). The cookie alone gives no access.
   * The cookie is valid for a year by the machine's clock, which a test cannot move, so `expiry` is `none`.
   */
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
  /**
   * An access token of a connected app. The refresh token ends with the same events, and also after it has been used
   * once (APP-8).
   */
  app_grant: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'stays',
    revocation: 'ends',
  },
  /** The link with which a person confirms a registration. The account does not exist before the confirmation. */
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
  /** The challenge that a browser has got for signing in with a passkey. The challenge belongs to no account. */
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
  /** The code of an authenticator app, which is requested after the password. */
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
  /** The archive of the account's data, which only the signed-in owner can download. */
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
  /** The page on which the signed-in owner can withdraw a requested erasure. */
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
  /** The link with which a helper can check in the participants of one event. */
  door_link: {
    new_password: 'stays',
    new_address: 'stays',
    sign_out: 'stays',
    ban: 'ends',
    erasure: 'ends',
    expiry: 'ends',
    use: 'stays',
    revocation: 'ends',
  },
  /** The link with which the recipient of a mail stops mails of this kind. The link works without signing in. */
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
  /**
   * A link in a mail about a moderator's decision. With this link, the author can object to the decision without
   * signing in, even if the author is banned.
   */
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
  /** The permanent link with which people ask to join a group. */
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
