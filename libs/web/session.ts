import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import csrfProtection from '@fastify/csrf-protection';
import secureSession, { type Session } from '@fastify/secure-session';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import type { Settings } from '#platform/config/settings';
import type { Told } from './redirect';

/** Kept by a device that has signed in, also after it signed out: its attempts are counted apart from everybody's (PAGE-18). */
interface Device {
  readonly id: string;
  /** Hashes of the addresses signed in with, the last one first. */
  readonly emails: readonly string[];
}

/** To make a passkey, to show one after the password, or instead of it. */
export type ChallengePurpose = 'add' | 'step' | 'sign_in';

/**
 * Two encrypted cookies: the session's key, and what makes a device known. Their keys come from APP_SECRET, so all replicas read
 * them; scripts cannot, and forms of other sites do not send them. Every form carries `_csrf` (the multipart one in its address,
 * a script's JSON in the header `X-CSRF-Token`).
 */
export async function keepSessions(fastify: FastifyInstance, { appSecret, baseUrl }: Settings): Promise<void> {
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
  await fastify.register(csrfProtection, { sessionPlugin: '@fastify/secure-session', getToken: formToken });
}

/** The session of a request that met no route of the pages; `web` is where they are. */
export function readSession(web: FastifyInstance, request: FastifyRequest): void {
  const { session } = web.parseCookie(request.headers.cookie ?? '');
  const opened = session === undefined ? null : web.decodeSecureSession(session, request.log);
  if (opened) request.session = opened;
}

/** Gives the browser the key of a session: nothing of the one before stays, the forms' secret neither. */
export function keepKey({ session }: FastifyRequest, key: string): void {
  session.regenerate();
  session.set('key', key);
}

/** The browser has shown the password of an account that wants a second step; nobody is signed in. */
export function keepHalf({ session }: FastifyRequest, key: string): void {
  session.regenerate();
  session.set('half', key);
}

export function halfOf({ session }: FastifyRequest): string | undefined {
  return session.get('half');
}

/** A secret that is shown on the next page of what it is of, once. */
export function keepSecret({ session }: FastifyRequest, shown: { of: string; secret: string }): void {
  session.set('shown', shown);
}

export function takeSecret({ session }: FastifyRequest, of: string): string | null {
  const shown = session.get('shown');
  if (shown?.of !== of) return null;
  session.set('shown', undefined);
  return shown.secret;
}

/** A message for the next page that this browser opens. */
export function keepTold({ session }: FastifyRequest, told: Told): void {
  session.set('told', told);
}

export function takeTold({ session }: { session?: FastifyRequest['session'] }): Told | null {
  const told = session?.get('told');
  if (told) session?.set('told', undefined);
  return told ?? null;
}

/** The address that this browser has just confirmed, for the form to sign in. */
export function keepAddress({ session }: FastifyRequest, address: string): void {
  session.set('confirmed', address);
}

export function confirmedAddress({ session }: FastifyRequest): string | undefined {
  return session.get('confirmed');
}

/** Stores the challenge for this browser's passkey, for one purpose and one use. */
export function keepChallenge(
  { session }: FastifyRequest,
  purpose: ChallengePurpose,
  challenge: string,
  until: number,
): void {
  session.set('asked', { purpose, challenge, until });
}

export function takeChallenge(
  { session }: FastifyRequest,
  purpose: ChallengePurpose,
): { challenge: string; until: number } | null {
  const asked = session.get('asked');
  session.set('asked', undefined);
  return asked?.purpose === purpose ? asked : null;
}

/** The id of the device, if it has signed in with that address before; else ''. */
export function knownDevice({ device }: FastifyRequest, email: string): string {
  return device.get('emails')?.includes(hashOf(email)) ? (device.get('id') ?? '') : '';
}

/** From now on the device is known to have signed in with that address. */
export function knowDevice({ device }: FastifyRequest, email: string): void {
  const others = (device.get('emails') ?? []).filter((one) => one !== hashOf(email));
  const id = device.get('id') ?? randomBytes(16).toString('base64url');
  device.regenerate();
  device.set('id', id);
  device.set('emails', [hashOf(email), ...others].slice(0, LIMITS.sessions.accounts_per_device));
}

function hashOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}

function formToken({ body, query, headers }: FastifyRequest): string {
  const token =
    (body as { _csrf?: unknown } | null | undefined)?._csrf ??
    (query as { _csrf?: unknown })._csrf ??
    headers['x-csrf-token'];
  return typeof token === 'string' ? token : '';
}

declare module '@fastify/secure-session' {
  interface SessionData {
    key: string;
    half: string;
    confirmed: string;
    shown: { of: string; secret: string };
    told: Told;
    asked: { purpose: ChallengePurpose; challenge: string; until: number };
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    device: Session<Device>;
  }
}
