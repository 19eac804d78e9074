import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Tokens } from '@fastify/csrf';
import secureSession, { type Session } from '@fastify/secure-session';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import type { Settings } from '#platform/config/settings';
import type { FlashMessage } from './redirect';

/**
 * The content of the cookie of a device on which a person has signed in. The cookie is kept after signing out. Sign-in
 * attempts from a known device are counted separately (PAGE-18).
 */
interface Device {
  readonly id: string;
  /** Hashes of the e-mail addresses with which somebody has signed in on this device, the latest first. */
  readonly emails: readonly string[];
}

/**
 * The purposes of a challenge. `add`: to create a passkey; `step`: a passkey after the password; `sign_in`: a passkey
 * instead of the password.
 */
export type ChallengePurpose = 'add' | 'step' | 'sign_in';

/** The name under which the session stores the secret of form tokens. */
const FORM_SECRET_NAME = '_csrf';
const tokens = new Tokens({});

/**
 * Registers two encrypted cookies: `session` with the session's key, and `device`, which identifies a known device. The
 * encryption keys are derived from APP_SECRET, so every server can decrypt the cookies. Scripts cannot read the
 * cookies, and browsers do not send them with forms of other sites. POST forms contain the token `_csrf`. `PageGuard`
 * checks this token for all forms except the unsubscribe form, the language form, and the forms that need no token
 * (`checkForm` in page.guard.ts). Multipart forms have the token in the address, and JSON requests of scripts have the
 * token in the header `X-CSRF-Token`.
 */
export async function registerSessions(fastify: FastifyInstance, { appSecret, baseUrl }: Settings): Promise<void> {
  const cookie = (name: 'session' | 'device', seconds: number, info: string) => ({
    sessionName: name,
    cookieName: name,
    key: Buffer.from(hkdfSync('sha256', appSecret, '', info, 32)),
    expiry: seconds,
    cookie: {
      path: '/',
      httpOnly: true,
      sameSite: 'lax' as const,
      secure: baseUrl.startsWith('https:'),
      maxAge: seconds,
    },
  });
  const { lifetime, device } = LIMITS.sessions;
  await fastify.register(secureSession, [
    cookie('session', lifetime, 'web-sessions'),
    cookie('device', device, 'web-devices'),
  ]);
}

/** Reads the session of a request that matched no route of the pages. `web`: the Fastify plugin of the pages. */
export function readSession(web: FastifyInstance, request: FastifyRequest): void {
  const { session } = web.parseCookie(request.headers.cookie ?? '');
  const opened = session === undefined ? null : web.decodeSecureSession(session, request.log);
  if (opened) request.session = opened;
}

/**
 * Stores the session key in the cookie. All data of the previous session is dropped, including the secret of form
 * tokens. The new secret is stored at once. If each page created its own secret, a browser that opens several pages at
 * once would store only the secret of the last page, and the forms of the other pages would be refused.
 */
export function storeKey({ session }: FastifyRequest, key: string): void {
  session.regenerate();
  session.set('key', key);
  session.set(FORM_SECRET_NAME, tokens.secretSync());
}

/** Returns a new form token. If the session has no secret of form tokens yet, a secret is created and stored. */
export function csrfToken({ session }: FastifyRequest): string {
  let secret = session.get(FORM_SECRET_NAME);
  if (secret === undefined) {
    secret = tokens.secretSync();
    session.set(FORM_SECRET_NAME, secret);
  }
  return tokens.create(secret);
}

/** Whether the form was sent with a token of the current session. */
export function hasValidToken(request: FastifyRequest): boolean {
  const secret = request.session.get(FORM_SECRET_NAME);
  return secret !== undefined && tokens.verify(secret, formToken(request));
}

/** Stores the key of a sign-in whose password was right and whose second step is pending. Nobody is signed in yet. */
export function storePendingKey({ session }: FastifyRequest, key: string): void {
  session.regenerate();
  session.set('pending', key);
}

export function pendingKeyOf({ session }: FastifyRequest): string | undefined {
  return session.get('pending');
}

/** Stores a secret that one page shows once. `of` is the path of this page. */
export function storeSecret({ session }: FastifyRequest, shown: { of: string; secret: string }): void {
  session.set('shown', shown);
}

/** Removes the secret that was stored for the page `of`, and returns the secret; null if there is no such secret. */
export function takeSecret({ session }: FastifyRequest, of: string): string | null {
  const stored = session.get('shown');
  if (stored?.of !== of) return null;
  session.set('shown', undefined);
  return stored.secret;
}

/** The message of a redirect, stored until the next page shows the message. */
export interface StoredFlash extends FlashMessage {
  /**
   * The fragment of the redirect's address. The message is shown in the part of the page with this id, if the page has
   * this part.
   */
  readonly at?: string;
}

/** Stores the message of a redirect for the next page that this browser opens. */
export function storeFlash({ session }: FastifyRequest, flash: FlashMessage, path: string): void {
  const [, at] = path.split('#');
  session.set('flash', { ...flash, ...(at && { at }) });
}

/** Removes the stored message and returns it; null if no message is stored. */
export function takeFlash({ session }: { session?: FastifyRequest['session'] }): StoredFlash | null {
  const flash = session?.get('flash');
  if (flash) session?.set('flash', undefined);
  return flash ?? null;
}

/** Stores in this browser the e-mail address that was just registered or confirmed. */
export function storeNewAddress({ session }: FastifyRequest, address: string): void {
  session.set('confirmed', address);
}

export function newAddress({ session }: FastifyRequest): string | undefined {
  return session.get('confirmed');
}

/** Stores the challenge for a passkey, for a limited time, one purpose and one use. */
export function storeChallenge(
  { session }: FastifyRequest,
  purpose: ChallengePurpose,
  challenge: string,
  now: Date,
): void {
  session.set('asked', { purpose, challenge, until: now.getTime() + LIMITS.second_step.challenge * 1000 });
}

/** Removes the stored challenge, and returns it if it was stored for this purpose, otherwise null. */
export function takeChallenge(
  { session }: FastifyRequest,
  purpose: ChallengePurpose,
): { challenge: string; until: number } | null {
  const stored = session.get('asked');
  session.set('asked', undefined);
  return stored?.purpose === purpose ? stored : null;
}

/** Returns the device's id if an account with this e-mail address has signed in on the device; otherwise ''. */
export function knownDeviceId({ device }: FastifyRequest, email: string): string {
  return device.get('emails')?.includes(hashOf(email)) ? (device.get('id') ?? '') : '';
}

/** Puts the hash of the e-mail address at the start of the device's list. Called after a sign-in with this address. */
export function rememberDevice({ device }: FastifyRequest, email: string): void {
  const others = (device.get('emails') ?? []).filter((one) => one !== hashOf(email));
  const id = device.get('id') ?? randomBytes(16).toString('base64url');
  device.regenerate();
  device.set('id', id);
  device.set('emails', [hashOf(email), ...others].slice(0, LIMITS.sessions.accounts_per_device));
}

function hashOf(email: string): string {
  return createHash('sha256').update(lowerCaseEmail(email)).digest('base64url');
}

/**
 * The address in lower case, character by character, as PostgreSQL compares addresses. `toLowerCase` alone converts `İ`
 * to two characters. Then each spelling of an address with `İ` in place of `i` would have its own counter of attempts,
 * and a known device would be unknown for this spelling.
 */
export function lowerCaseEmail(email: string): string {
  return Array.from(email, (character) => Array.from(character.toLowerCase())[0]).join('');
}

/** The form token that the request contains; an empty text if it contains none. */
export function formToken({ body, query, headers }: FastifyRequest): string {
  const token =
    (body as { _csrf?: unknown } | null | undefined)?._csrf ??
    (query as { _csrf?: unknown })._csrf ??
    headers['x-csrf-token'];
  return typeof token === 'string' ? token : '';
}

declare module '@fastify/secure-session' {
  interface SessionData {
    key: string;
    _csrf: string;
    pending: string;
    /** The address that was registered or confirmed last. Earlier versions stored only confirmed addresses. */
    confirmed: string;
    shown: { of: string; secret: string };
    flash: StoredFlash;
    asked: { purpose: ChallengePurpose; challenge: string; until: number };
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    device: Session<Device>;
  }
}
