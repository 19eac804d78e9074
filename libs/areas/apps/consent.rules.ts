import { allows, type Scope } from '#contract/scopes';
import type { RedirectTarget } from './redirect-addresses';

/** Whether one of `scopes` includes `scope`. */
export function includesScope(scopes: readonly Scope[], scope: Scope): boolean {
  if (scope === 'write') return scopes.includes('write');
  if (scope === 'read') return scopes.includes('read') || scopes.includes('write');
  return allows(scopes, scope, { reads: scope.endsWith(':read') });
}

interface Authorization {
  /** The scopes that the person has already granted to the app; null if the app is not connected. */
  readonly remembered: readonly Scope[] | null;
  readonly requested: readonly Scope[];
  readonly target: RedirectTarget;
  /** Values of the request's parameter `prompt`. */
  readonly prompts: ReadonlySet<string>;
}

/**
 * Whether the person must be asked for consent. This is necessary if the app is not connected, requests additional
 * scopes, or sends the parameter `prompt`. It is also necessary if the redirect does not lead to a web site, because
 * then another program could receive the authorization code (APP-13).
 */
export function mustAsk({ remembered, requested, target, prompts }: Authorization): boolean {
  if (remembered === null || target.kind !== 'site' || prompts.size > 0) return true;
  return !requested.every((scope) => includesScope(remembered, scope));
}
