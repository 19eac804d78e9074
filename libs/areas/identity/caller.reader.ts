import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Gender, TokenAccess } from '#contract/vocabulary';

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
  readonly token: {
    readonly id: number;
    readonly name: string;
    readonly access: TokenAccess;
    readonly expiresAt: Date | null;
  };
}

/** `@CurrentCaller() caller: Caller`. Admission guarantees that there is one. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a handler under /api/v1 was reached without admission');
  return caller as Caller;
});
