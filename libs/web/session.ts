import { createHash, hkdfSync } from 'node:crypto';
import csrfProtection from '@fastify/csrf-protection';
import secureSession from '@fastify/secure-session';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import type { Settings } from '#platform/config/settings';

/** Seconds: two weeks. */
const LIFETIME = 14 * 24 * 3600;

/**
 * Who is signed in, in an encrypted cookie. The key comes from APP_SECRET, so all replicas read it; scripts cannot, and
 * forms of other sites do not send it. Every form carries `_csrf` (the multipart one in its address).
 */
export async function keepSessions(fastify: FastifyInstance, { appSecret, baseUrl }: Settings): Promise<void> {
  await fastify.register(secureSession, {
    key: Buffer.from(hkdfSync('sha256', appSecret, '', 'web-sessions', 32)),
    cookieName: 'session',
    expiry: LIFETIME,
    cookie: { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:'), maxAge: LIFETIME },
  });
  await fastify.register(csrfProtection, { sessionPlugin: '@fastify/secure-session', getToken: formToken });
}

/** For a form's route: refuses what did not come from our own page. */
export function ownForms(fastify: FastifyInstance): Pick<RouteShorthandOptions, 'preHandler'> {
  return { preHandler: fastify.csrfProtection.bind(fastify) };
}

/** Begins a session anew: nothing of the one before stays, the forms' secret neither. */
export function signIn(request: FastifyRequest, user: User): void {
  request.session.regenerate();
  request.session.set('userId', user.id);
  request.session.set('stamp', stampOf(user));
}

/** Changes with the password, so that a new one ends all sessions. */
export function stampOf({ id, passwordHash }: User): string {
  return createHash('sha256').update(`${id}:${passwordHash}`).digest('base64url');
}

function formToken({ body, query }: FastifyRequest): string {
  const token = (body as { _csrf?: unknown } | null | undefined)?._csrf ?? (query as { _csrf?: unknown })._csrf;
  return typeof token === 'string' ? token : '';
}

declare module '@fastify/secure-session' {
  interface SessionData {
    userId: number;
    stamp: string;
  }
}
