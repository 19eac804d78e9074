import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds after which an authenticator app shows the next code (RFC 6238). These apps expect this value. */
const PERIOD_SECONDS = 30;
const CODE = /^\d{6}$/;

/** A new secret: 160 bits in base 32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** The `otpauth:` URI in the QR code for authenticator apps. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  return generateURI({ issuer, label: account, secret });
}

/** Whether the text has the form of a TOTP code. */
export function isTotpCode(typed: string): boolean {
  return CODE.test(typed);
}

/**
 * The number of the 30-second step that has this code. The current, the previous and the next step are accepted,
 * because clocks may differ by half a minute. Null for any other code. A step is not accepted again: the SQL statement
 * `TAKE_STEP` refuses a step if this step or a later step was already used (STEP-2).
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!isTotpCode(code)) return null;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: PERIOD_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
