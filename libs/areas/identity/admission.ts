import { Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { allows, SCOPE_OF_OPERATION, type OperationId } from '#contract/scopes';
import { isReadingMethod } from '#contract/vocabulary';
import { isSelfRequest } from '#platform/context/self-request';
import { addAppliedPreference, DRY_RUN } from '#platform/http/prefer';
import { Refusal } from '#platform/http/refusal';
import { PublicIds } from '#platform/http/public-ids';
import { RouteTable } from '#platform/http/routes';
import { answerPreflight } from '#platform/http/wire-headers';
import { RequestWindows, type Hit } from '#platform/rate-limit/request-windows';
import { idempotencyKey, NO_KEY } from '#platform/retries/idempotency-key';
import { Authentication, type Authenticated } from './authentication';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler checks the token's scopes itself. Then `ScopeGuard` checks only tokens of door links. */
    hasOwnScopes?: boolean;
  }
  interface FastifyRequest {
    /**
     * Undefined until `IpWindowGuard` (for tokens of apps) or `TokenGuard` sets it; always undefined on routes that
     * need no token. Null if the token is not valid.
     */
    authenticated: Authenticated | null | undefined;
    /**
     * The rate-limit window of the IP address, or of the app if the app has its own limit. This request is already
     * counted.
     */
    ipHit: Hit | null;
    /** The rate-limit window of the token; this request is already counted. */
    tokenHit: Hit | null;
  }
}

/**
 * Throws 429 `too_many_requests` above the limit of the IP address, or of the app if the app has its own limit.
 * `IpWindowGuard` and `TokenWindowGuard` do not count requests of the service to itself (`isSelfRequest`).
 */
@Injectable()
export class IpWindowGuard implements CanActivate {
  constructor(
    private readonly windows: RequestWindows,
    private readonly authentication: Authentication,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    if (isSelfRequest()) return true;
    const request = http.getRequest<FastifyRequest>();
    // The token of an app is authenticated before the request is counted, because the app may have its own limit
    // (APP-21).
    const { authorization } = request.headers;
    if (this.authentication.looksLikeAppToken(authorization))
      request.authenticated = await this.authentication.authenticate(authorization, idempotencyKey(request.raw).hash);
    // Requests of an app with its own limit do not count in the window of the IP address.
    const appWindow = request.authenticated?.appWindow;
    request.ipHit = await (appWindow
      ? this.windows.count('app', appWindow.appId, LIMITS.requests.window * 1000, appWindow.limit)
      : this.windows.hit('ip', request.ip));
    return applyWindow(http.getResponse<FastifyReply>(), request.ipHit);
  }
}

/**
 * Answers a preflight request (CORS). A preflight request has no token, so the later guards are skipped. On a path
 * without CORS (`withoutCors`), an OPTIONS request is not a preflight request.
 */
@Injectable()
export class PreflightGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (http.getRequest<FastifyRequest>().method !== 'OPTIONS') return true;
    if (!reply.hasHeader('access-control-allow-origin')) return true;
    answerPreflight(reply);
    return false;
  }
}

/**
 * Sets `request.authenticated`, `request.caller`, the idempotency key (none for a dry run), and the response that is
 * stored for this key. Throws 401 `unauthenticated` if the request has no valid token.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(private readonly authentication: Authentication) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const key = request.dryRun ? NO_KEY : idempotencyKey(request.raw);
    if (request.authenticated === undefined)
      request.authenticated = await this.authentication.authenticate(request.headers.authorization, key.hash);
    const { authenticated } = request;
    if (!authenticated) throw new Refusal('unauthenticated');
    Object.assign(request, { idempotencyKey: key, sealedResponse: authenticated.sealedResponse });
    request.caller = authenticated.caller;
    if (request.dryRun) addAppliedPreference(http.getResponse<FastifyReply>(), DRY_RUN);
    return true;
  }
}

/** Throws 429 `too_many_requests` above the rate limit of the token. */
@Injectable()
export class TokenWindowGuard implements CanActivate {
  constructor(private readonly windows: RequestWindows) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    if (isSelfRequest()) return true;
    const request = http.getRequest<FastifyRequest>();
    request.tokenHit = await this.windows.hit('token', authenticatedOf(request).caller.token.rateLimitKey);
    return applyWindow(http.getResponse<FastifyReply>(), request.tokenHit);
  }
}

/** Throws 403 `banned` for a banned account. */
@Injectable()
export class BanGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (authenticatedOf(context.switchToHttp().getRequest<FastifyRequest>()).banned) throw new Refusal('banned');
    return true;
  }
}

/** Throws 403 `premium_required` for an account that is not (or no longer) entitled to use tokens. */
@Injectable()
export class PremiumGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!authenticatedOf(context.switchToHttp().getRequest<FastifyRequest>()).eligible)
      throw new Refusal('premium_required');
    return true;
  }
}

/** The operations that the token of a door link may call, for the event of the link (DOOR-23). */
const DOOR_OPERATIONS: ReadonlySet<OperationId> = new Set(['getEventDoor', 'sendDoorScans']);

/** Throws 403 `insufficient_scope` for a request that the scopes of the token do not allow (SCOPE-2). */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly ids: PublicIds) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { scopes, door } = authenticatedOf(request).caller.token;
    const { operation, hasOwnScopes } = request.routeOptions.config;
    if (door) {
      if (operation && DOOR_OPERATIONS.has(operation) && door.eventId === this.eventOf(request)) return true;
      throw new Refusal('insufficient_scope');
    }
    if (hasOwnScopes) return true;
    const reads = isReadingMethod(request.method);
    const needed = operation === undefined ? null : SCOPE_OF_OPERATION[operation];
    if (needed !== null && !allows(scopes, needed, { reads }))
      throw new Refusal('insufficient_scope', { scope: needed });
    // If no operation has this path and this method, and the method is not a reading method, a read-only token is
    // refused here, before `RouteGuard` refuses the path or the method.
    if (operation === undefined && !reads && scopes.every((scope) => scope === 'read' || scope.endsWith(':read')))
      throw new Refusal('insufficient_scope', { scope: 'write' });
    return true;
  }

  private eventOf({ params }: FastifyRequest): number | null {
    const { id } = params as { readonly id?: string };
    return id === undefined ? null : this.ids.decodeEvent(id);
  }
}

/**
 * Throws 404 `not_found` for an unknown path, and 405 `method_not_allowed` with `Allow` for a path that exists only
 * with other methods.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!request.is404 && !this.routes.isUnsupportedOnFixedPath(request.method, request.url)) return true;
    const allow = this.routes.allowedMethods(request.url);
    // If a parameter in the path is longer than any id or slug, the server finds no route although `allow` contains the
    // method. This is a 404, not a 405.
    const existsForOtherMethods = allow.length > 0 && !allow.includes(request.method);
    throw existsForOtherMethods ? new Refusal('method_not_allowed', { allow }) : new Refusal('not_found');
  }
}

/** The guards in the order of their refusals (WIRE-37). */
export const ADMISSION_GUARDS: readonly Type<CanActivate>[] = [
  IpWindowGuard,
  PreflightGuard,
  TokenGuard,
  TokenWindowGuard,
  BanGuard,
  PremiumGuard,
  ScopeGuard,
  RouteGuard,
];

/**
 * Runs the guards for every request under /api/v1, also for unknown routes, before the body is read. Guards of Nest
 * would run later (docs/adr/0001).
 */
@Injectable()
export class Admission {
  private guards: readonly CanActivate[] | null = null;

  constructor(private readonly modules: ModuleRef) {}

  /** Sets `request.caller`, throws a refusal, or answers a preflight. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.guards ??= ADMISSION_GUARDS.map((guard) => this.modules.get(guard));
    const context = new ExecutionContextHost([request, reply]);
    for (const guard of this.guards) {
      if (!(await guard.canActivate(context))) return;
    }
  }
}

/** The authenticated account and token. Throws if called before `TokenGuard`. */
function authenticatedOf({ authenticated }: FastifyRequest): Authenticated {
  if (!authenticated) throw new Error('a guard that needs the token runs before TokenGuard');
  return authenticated;
}

/**
 * Writes the rate-limit headers and refuses a request above the limit. Each call replaces the headers, so they show the
 * last window in which the request was counted (LIM-3).
 */
function applyWindow(reply: FastifyReply, hit: Hit): true {
  reply.headers({ 'x-ratelimit-limit': hit.limit, 'x-ratelimit-remaining': hit.remaining });
  if (hit.refused) throw new Refusal('too_many_requests', { retryAfter: hit.retryAfterSeconds });
  return true;
}
