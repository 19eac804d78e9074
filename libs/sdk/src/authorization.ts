import type { Scope } from './generated/operations.ts';
import { encoded, ForeignCallback, OAuthRefusal, type AppOptions } from './oauth.ts';
import { API, serviceAt } from './options.ts';

export interface AuthorizeOptions {
  /**
   * The redirect address that the app has registered. The port of a loopback address may differ from the registered
   * port.
   */
  readonly redirectUri: string;
  /** The scopes that the app requests; default `read`. */
  readonly scope?: Scope | readonly Scope[];
}

/**
 * The data that `Connection.authorize` returns and `Connection.finish` needs. Store it where only the same browser or
 * process can read it, such as `sessionStorage`. All values are strings.
 */
export interface PendingAuthorization {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** The address for the person's browser, and the data to check the response. */
export interface StartedAuthorization {
  readonly url: string;
  readonly pending: PendingAuthorization;
}

/** Starts the authorization code flow with PKCE (S256) and a random `state`. */
export async function startAuthorization(
  { baseUrl, clientId }: AppOptions,
  { redirectUri, scope }: AuthorizeOptions,
): Promise<StartedAuthorization> {
  const [state, verifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = encoded({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopeText(scope),
    state,
    resource: resourceOf(baseUrl),
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  return {
    url: `${serviceAt(baseUrl)}/oauth/authorize?${query.toString()}`,
    pending: { state, verifier, redirectUri },
  };
}

/**
 * Returns the authorization code in `callback`, the address to which the browser came back. Throws `ForeignCallback` if
 * the address belongs to another authorization or another service. Throws `OAuthRefusal` if the address has no code
 * (`access_denied`: the person has denied access).
 */
export function codeOf(callback: string | URL, { state }: PendingAuthorization, { baseUrl }: AppOptions): string {
  const { searchParams } = new URL(callback, 'http://unused');
  if (searchParams.get('state') !== state) throw new ForeignCallback('state');
  if (searchParams.get('iss') !== serviceAt(baseUrl)) throw new ForeignCallback('iss');
  const code = searchParams.get('code');
  if (code === null)
    throw new OAuthRefusal(
      searchParams.get('error') ?? 'invalid_request',
      searchParams.get('error_description') ?? undefined,
    );
  return code;
}

export function scopeText(scope: AuthorizeOptions['scope']): string | undefined {
  return scope === undefined ? undefined : [scope].flat().join(' ');
}

/** The address of the API, which is the resource of the tokens (RFC 8707). */
export function resourceOf(baseUrl: string): string {
  return serviceAt(baseUrl) + API;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
