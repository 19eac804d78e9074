import { Injectable, type CanActivate, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BanGuard, IpWindowGuard, PreflightGuard, PremiumGuard, RouteGuard, ScopeGuard, TokenGuard, TokenWindowGuard,
} from './admission/admission.guards';

/** Who gets to a handler at all, in the order in which a client meets the refusals (WIRE-37). */
export const ADMISSION_GUARDS: readonly Type<CanActivate>[] = [
  IpWindowGuard, PreflightGuard, TokenGuard, TokenWindowGuard, BanGuard, PremiumGuard, ScopeGuard, RouteGuard,
];

/**
 * Runs the guards for everything under /api/v1, unknown routes included, before a byte of a body is read: earlier than Nest runs its
 * own (docs/adr/0001).
 */
@Injectable()
export class Admission {
  private guards: readonly CanActivate[] | null = null;

  constructor(private readonly modules: ModuleRef) {}

  /** Sets `request.caller`, or throws the refusal, or has answered a preflight. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.guards ??= ADMISSION_GUARDS.map((guard) => this.modules.get(guard));
    const context = new ExecutionContextHost([request, reply]);
    for (const guard of this.guards) if (!(await guard.canActivate(context))) return;
  }
}
