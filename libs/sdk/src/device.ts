import { resourceOf, scopeText, type AuthorizeOptions } from './authorization.ts';
import { isTemporary, OAuthRefusal, post, tokensOf, type AppOptions, type Tokens } from './oauth.ts';
import { pause } from './transport.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
/** The polling interval if the server sends none (RFC 8628). */
const DEFAULT_INTERVAL_SECONDS = 5;
/** The number of seconds by which each error `slow_down` lengthens the interval. */
const SLOWER_BY_SECONDS = 5;
/** The maximum to which the interval is doubled after temporary errors, in seconds. */
const MAX_PAUSE_SECONDS = 30;

/** The code and the addresses with which a person connects a device, or a program in a terminal. */
export interface DeviceCode {
  /** The code that the person enters at `verificationUri`. */
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same page with the code filled in, for a link or a QR code. */
  readonly verificationUriComplete: string;
  /** The time at which the code expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface DeviceOptions {
  /** The scopes that the app requests; default `read`. */
  readonly scope?: AuthorizeOptions['scope'];
  /** Shows the code to the person. */
  readonly show: (code: DeviceCode) => void | Promise<void>;
  /** A signal whose abort ends the waiting. The call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Requests a code, shows the code, waits until the person has allowed access, and returns the tokens. Throws
 * `OAuthRefusal` with `access_denied`, `expired_token`, `server_error` (an answer is incomplete), or another error with
 * which the server refuses the app.
 */
export async function tokensByDevice(app: AppOptions, { scope, show, signal }: DeviceOptions): Promise<Tokens> {
  const callOptions = signal && { signal };
  const authorization = await post(
    app,
    'device_authorization',
    { scope: scopeText(scope), resource: resourceOf(app.baseUrl) },
    callOptions,
  );
  const {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: verificationUriComplete = verificationUri,
    expires_in: lifetime,
  } = authorization;
  if (
    typeof deviceCode !== 'string' ||
    typeof userCode !== 'string' ||
    typeof verificationUri !== 'string' ||
    typeof verificationUriComplete !== 'string' ||
    typeof lifetime !== 'number'
  )
    throw new OAuthRefusal('server_error', 'the answer has no code, no address or no lifetime');
  const lifetimeMs = lifetime * 1000;
  const until = performance.now() + lifetimeMs;
  await show({
    userCode,
    verificationUri,
    verificationUriComplete,
    expiresAt: Date.now() + lifetimeMs,
  });
  let interval = typeof authorization.interval === 'number' ? authorization.interval : DEFAULT_INTERVAL_SECONDS;
  for (;;) {
    await pause(interval * 1000, signal);
    if (performance.now() >= until) throw new OAuthRefusal('expired_token', 'the code was not entered in time');
    try {
      return tokensOf(await post(app, 'token', { grant_type: GRANT_TYPE, device_code: deviceCode }, callOptions));
    } catch (error) {
      signal?.throwIfAborted();
      const code = error instanceof OAuthRefusal ? error.error : undefined;
      if (code === 'authorization_pending') continue;
      if (code !== 'slow_down' && !isTemporary(error)) throw error;
      // The server has requested slower polling, is busy, or does not answer.
      interval =
        code === 'slow_down'
          ? interval + SLOWER_BY_SECONDS
          : Math.max(interval, Math.min(MAX_PAUSE_SECONDS, Math.max(1, interval * 2)));
    }
  }
}
