import { Injectable } from '@nestjs/common';
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
import { Authentication, refuseUnlessEligible, type Authenticated } from './authentication';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler checks the token's scopes itself. Then `Admission` checks only the scopes of door links. */
    hasOwnScopes?: boolean;
  }
  interface FastifyRequest {
    /** Null before `Admission` has found the token; always null on routes that need no token. */
    authenticated: Authenticated | null;
    /**
     * The rate-limit window of the IP address, or of the app if the app has its own limit. This request is already
     * counted.
     */
    ipHit: Hit | null;
    /** The rate-limit window of the token; this request is already counted. */
    tokenHit: Hit | null;
  }
}

/** The operations that the token of a door link may call, for the event of the link (DOOR-23). */
const DOOR_OPERATIONS: ReadonlySet<OperationId> = new Set(['getEventDoor', 'sendDoorScans']);

/**
 * Checks every request under /api/v1, also for unknown routes, before the body is read. Guards of Nest would run later
 * (docs/adr/0001). Requests of the service to itself (`isSelfRequest`) do not count in the rate limits.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly windows: RequestWindows,
    private readonly authentication: Authentication,
    private readonly ids: PublicIds,
    private readonly routes: RouteTable,
  ) {}

  /** Sets `request.caller`, throws a refusal, or answers a preflight. The order of the refusals is that of WIRE-37. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isSelfRequest()) await this.countForAddress(request, reply);
    if (isPreflight(request, reply)) return answerPreflight(reply);
    const authenticated = await this.authenticate(request, reply);
    if (!isSelfRequest()) await this.countForToken(request, reply, authenticated);
    refuseUnlessEligible(authenticated);
    this.refuseWithoutScope(request, authenticated);
    this.refuseUnknownRoute(request);
  }

  /** Throws 429 `too_many_requests` above the limit of the IP address, or of the app if the app has its own limit. */
  private async countForAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
    applyWindow(reply, request.ipHit);
  }

  /**
   * Sets `request.authenticated`, `request.caller`, the idempotency key (none for a dry run), and the response that is
   * stored for this key. Throws 401 `unauthenticated` if the request has no valid token.
   */
  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Authenticated> {
    const key = request.dryRun ? NO_KEY : idempotencyKey(request.raw);
    const authenticated =
      request.authenticated ?? (await this.authentication.authenticate(request.headers.authorization, key.hash));
    if (!authenticated) throw new Refusal('unauthenticated');
    const { caller, sealedResponse } = authenticated;
    Object.assign(request, { authenticated, caller, idempotencyKey: key, sealedResponse });
    if (request.dryRun) addAppliedPreference(reply, DRY_RUN);
    return authenticated;
  }

  /** Throws 429 `too_many_requests` above the rate limit of the token. */
  private async countForToken(request: FastifyRequest, reply: FastifyReply, { caller }: Authenticated): Promise<void> {
    request.tokenHit = await this.windows.hit('token', caller.token.rateLimitKey);
    applyWindow(reply, request.tokenHit);
  }

  /** Throws 403 `insufficient_scope` for a request that the scopes of the token do not allow (SCOPE-2). */
  private refuseWithoutScope(request: FastifyRequest, { caller }: Authenticated): void {
    const { scopes, door } = caller.token;
    const { operation, hasOwnScopes } = request.routeOptions.config;
    if (door) {
      if (operation && DOOR_OPERATIONS.has(operation) && door.eventId === this.eventOf(request)) return;
      throw new Refusal('insufficient_scope');
    }
    if (hasOwnScopes) return;
    const reads = isReadingMethod(request.method);
    const needed = operation === undefined ? null : SCOPE_OF_OPERATION[operation];
    if (needed !== null && !allows(scopes, needed, { reads }))
      throw new Refusal('insufficient_scope', { scope: needed });
    // No operation has this path and this method, and the method writes. A read-only token is refused here, before
    // `refuseUnknownRoute` refuses the path or the method.
    if (operation === undefined && !reads && scopes.every((scope) => scope === 'read' || scope.endsWith(':read')))
      throw new Refusal('insufficient_scope', { scope: 'write' });
  }

  private eventOf({ params }: FastifyRequest): number | null {
    const { id } = params as { readonly id?: string };
    return id === undefined ? null : this.ids.decodeEvent(id);
  }

  /**
   * Throws 404 `not_found` for an unknown path, and 405 `method_not_allowed` with `Allow` for a path that exists only
   * with other methods.
   */
  private refuseUnknownRoute(request: FastifyRequest): void {
    if (!request.is404 && !this.routes.isUnsupportedOnFixedPath(request.method, request.url)) return;
    const allow = this.routes.allowedMethods(request.url);
    // If a parameter in the path is longer than any id or slug, the server finds no route although `allow` contains the
    // method. This is a 404, not a 405.
    const existsForOtherMethods = allow.length > 0 && !allow.includes(request.method);
    throw existsForOtherMethods ? new Refusal('method_not_allowed', { allow }) : new Refusal('not_found');
  }
}

/** Whether the request is a preflight request (CORS), which has no token. A path without CORS has no such requests. */
function isPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  return request.method === 'OPTIONS' && reply.hasHeader('access-control-allow-origin');
}

/**
 * Writes the rate-limit headers and refuses a request above the limit. Each call replaces the headers, so they show the
 * last window in which the request was counted (LIM-3).
 */
function applyWindow(reply: FastifyReply, hit: Hit): void {
  reply.headers({ 'x-ratelimit-limit': hit.limit, 'x-ratelimit-remaining': hit.remaining });
  if (hit.refused) throw new Refusal('too_many_requests', { retryAfter: hit.retryAfterSeconds });
}
