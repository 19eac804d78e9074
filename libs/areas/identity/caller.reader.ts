import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '#contract/scopes';
import type { Gender } from '#contract/vocabulary';

/** The token of a request. */
export interface CallerToken {
  readonly id: number;
  readonly name: string;
  /** The key of the token's rate limit. Tokens of one grant share the key. */
  readonly rateLimitKey: string;
  /** The token's scopes. A token with an access level has that level as its only scope. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** The app that acts for the person; null for a token that does not belong to an app. */
  readonly app: { readonly name: string; readonly clientId: string } | null;
  /** The grant that the token belongs to; null for a token that does not belong to an app. */
  readonly grantId: number | null;
  /** For the token of a door link: its event and link. Such a token has no scopes. Null for all other tokens. */
  readonly door: { readonly eventId: number; readonly linkId: number; readonly name: string } | null;
}

/** The user (for a door link: the organizer) and the token of a request. Both are read again for every request. */
export interface Caller {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly avatarKey: string | null;
  readonly locale: string;
  readonly timezone: string;
  /** YYYY-MM-DD. */
  readonly birthDate: string | null;
  readonly gender: Gender | null;
  readonly premiumUntil: Date | null;
  readonly admin: boolean;
  readonly moderator: boolean;
  readonly token: CallerToken;
}

/** Use as `@CurrentCaller() caller: Caller`. `Admission` refuses requests without a caller before the handler runs. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a handler under /api/v1 was reached without admission');
  return caller as Caller;
});
