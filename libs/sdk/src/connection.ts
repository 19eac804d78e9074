import { codeOf, resourceOf, startAuthorization } from './authorization.ts';
import type { AuthorizeOptions, PendingAuthorization, StartedAuthorization } from './authorization.ts';
import { tokensByDevice, type DeviceOptions } from './device.ts';
import { isTemporary, NotConnected, OAuthRefusal, post, tokensOf, type AppOptions, type Tokens } from './oauth.ts';
import type { TokenSource } from './options.ts';
import { pause } from './transport.ts';

/** An access token that expires within this time is replaced before it is used. */
const REFRESH_BEFORE_EXPIRY_MS = 60_000;
/**
 * The server accepts a refresh token again for 30 seconds after its first use. A use after that time ends the grant. A
 * refresh whose response was lost is therefore repeated for 25 seconds only.
 */
const RETRY_LIMIT_MS = 25_000;
const ATTEMPT_TIMEOUT_MS = 8000;
const FIRST_PAUSE_MS = 250;
/**
 * While a request gets only 429 responses, the time `RETRY_LIMIT_MS` begins again after each wait, until the waits of
 * the request in total exceed this number of milliseconds.
 */
const MAX_RATE_LIMIT_WAIT_MS = 130_000;

/**
 * The app's storage for the tokens of one person. `get` returns the tokens that `set` has stored, also after a restart.
 */
export interface TokenStore {
  get(): Tokens | null | undefined | Promise<Tokens | null | undefined>;
  /** null: the tokens are no longer valid. After `set(null)`, `get` must return null or undefined. */
  set(tokens: Tokens | null): void | Promise<void>;
}

export interface ConnectionOptions extends AppOptions {
  readonly store: TokenStore;
}

/**
 * An app's connection to the account of one person. The connection obtains tokens, replaces them before they expire,
 * and revokes them. Clients use the connection as their token: `new EventsClient({ baseUrl, token: connection })`.
 */
export class Connection implements TokenSource {
  private readonly options: ConnectionOptions;
  /** The refresh of the tokens that is in progress, if any. There is at most one. */
  private refreshing: Promise<string> | null = null;

  constructor(options: ConnectionOptions) {
    this.options = options;
  }

  /**
   * Begins an authorization. Store `pending`, send the person's browser to `url`, and call `finish` when the browser
   * returns.
   */
  authorize(options: AuthorizeOptions): Promise<StartedAuthorization> {
    return startAuthorization(this.options, options);
  }

  /**
   * Checks the address to which the browser came back, exchanges its code, and stores the tokens. Throws
   * `ForeignCallback` if `state` or `iss` is missing or belongs to another authorization. Throws `OAuthRefusal` if the
   * address has no code (`access_denied`: the person has denied access), or if the server refuses the code. The
   * exchange is not repeated, because a second use of a code ends its grant.
   */
  async finish(callback: string | URL, pending: PendingAuthorization): Promise<Tokens> {
    const body = await post(this.options, 'token', {
      grant_type: 'authorization_code',
      code: codeOf(callback, pending, this.options),
      redirect_uri: pending.redirectUri,
      code_verifier: pending.verifier,
      resource: resourceOf(this.options.baseUrl),
    });
    return this.storeTokens(tokensOf(body));
  }

  /**
   * For devices and terminals: the person enters a code in any browser. Waits for the person's decision and stores the
   * tokens.
   */
  async authorizeDevice(options: DeviceOptions): Promise<Tokens> {
    return this.storeTokens(await tokensByDevice(this.options, options));
  }

  /**
   * The access token. It is replaced if it is about to expire. Throws `NotConnected` if the store has no tokens, or if
   * the grant has ended.
   */
  async token(): Promise<string> {
    const { accessToken, expiresAt } = await this.storedTokens();
    if (expiresAt - Date.now() > REFRESH_BEFORE_EXPIRY_MS) return accessToken;
    try {
      return await this.renew(accessToken);
    } catch (error) {
      // After a temporary failure, the old token is returned if it is still valid.
      if (error instanceof NotConnected || !isTemporary(error) || expiresAt <= Date.now()) throw error;
      return accessToken;
    }
  }

  /**
   * Returns an access token that replaces `oldToken`, which the server has refused or which is about to expire.
   * Concurrent calls share one refresh. Throws `NotConnected` if the store has no tokens, or if the grant has ended.
   */
  renew(oldToken: string): Promise<string> {
    this.refreshing ??= this.refresh(oldToken).finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** Ends the grant at the service and deletes the tokens. Does nothing if the store has no tokens. */
  async revoke(): Promise<void> {
    await this.refreshing?.catch(() => undefined);
    const tokens = await this.options.store.get();
    if (!tokens) return;
    await withRetries(() =>
      post(this.options, 'revoke', { token: tokens.refreshToken }, { timeoutMs: ATTEMPT_TIMEOUT_MS }),
    );
    await this.options.store.set(null);
  }

  private async refresh(oldToken: string): Promise<string> {
    const { accessToken, refreshToken } = await this.storedTokens();
    // If the stored token differs, an earlier call or another process with the same store has replaced the tokens.
    if (accessToken !== oldToken) return accessToken;
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      resource: resourceOf(this.options.baseUrl),
    };
    try {
      const body = await withRetries(() => post(this.options, 'token', fields, { timeoutMs: ATTEMPT_TIMEOUT_MS }));
      return (await this.storeTokens(tokensOf(body))).accessToken;
    } catch (error) {
      if (!(error instanceof OAuthRefusal) || error.error !== 'invalid_grant') throw error;
      if ((await this.options.store.get())?.refreshToken === refreshToken) await this.options.store.set(null);
      throw new NotConnected();
    }
  }

  private async storeTokens(tokens: Tokens): Promise<Tokens> {
    await this.options.store.set(tokens);
    return tokens;
  }

  private async storedTokens(): Promise<Tokens> {
    const tokens = await this.options.store.get();
    if (!tokens) throw new NotConnected();
    return tokens;
  }
}

/**
 * Repeats a request after a temporary failure, such as a lost response, for at most `RETRY_LIMIT_MS`. While all
 * attempts get 429, this time begins again after each wait, until the waits in total exceed `MAX_RATE_LIMIT_WAIT_MS`.
 */
async function withRetries<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  let [until, mayHaveUsedToken, waited] = [performance.now() + RETRY_LIMIT_MS, false, 0];
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await send();
    } catch (error) {
      const { status, retryAfterMs = 0 } = error as { readonly status?: number; readonly retryAfterMs?: number };
      const waitMs = Math.max(pauseMs, retryAfterMs);
      waited += waitMs;
      // The server sends 429 before it uses the refresh token, so the 30 seconds in which the server accepts this token
      // again have not started yet.
      if (status !== 429) mayHaveUsedToken = true;
      else if (!mayHaveUsedToken && waited <= MAX_RATE_LIMIT_WAIT_MS)
        until = performance.now() + waitMs + RETRY_LIMIT_MS;
      if (!isTemporary(error) || performance.now() + waitMs > until) throw error;
      await pause(waitMs);
    }
  }
}
