import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '#contract/scopes';
import type { Gender } from '#contract/vocabulary';

/** The token of a request. */
export interface CallerToken {
  readonly id: number;
  readonly name: string;
  /** The key of its request window. Tokens of one grant share a window. */
  readonly window: string;
  /** The token's scopes; only the level for tokens of a level. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** The app that acts for the person; null for a token of the person's own. */
  readonly app: { readonly name: string; readonly clientId: string } | null;
  /** The grant that the token belongs to. */
  readonly grantId: number | null;
  /** The door that the token of a door link opens, instead of scopes. */
  readonly door: { readonly eventId: number; readonly linkId: number; readonly name: string } | null;
}

/** The token's user as admitted to this request, with the token. Read again for every request. */
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

/** `@CurrentCaller() caller: Caller`. Admission guarantees that there is one. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a handler under /api/v1 was reached without admission');
  return caller as Caller;
});
