import { scopesIn, type Scope } from '#contract/scopes';

/** Whether the client id is the address of a metadata document. Other client ids come from `newClientId` (APP-11). */
export function hasDocument(clientId: string): boolean {
  return clientId.startsWith('https://');
}

/** The host of the app's metadata document; null for an app without such a document. */
export function documentHostOf(clientId: string): string | null {
  return hasDocument(clientId) ? new URL(clientId).host : null;
}

/** The scopes and resources in the parameters of an authorization. */
export function requestedAccess({ scope, resource }: Readonly<Record<string, unknown>>): {
  scopes: Scope[];
  resources: string[];
} {
  return { scopes: scopesIn(typeof scope === 'string' ? scope : ''), resources: [resource ?? []].flat().map(String) };
}
