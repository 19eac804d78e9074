import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds in which a code holds (RFC 6238), as every app has it. */
const PERIOD = 30;
const CODE = /^\d{6}$/;

/** A new secret: 160 bits in base 32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What apps read from the QR code. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  return generateURI({ issuer, label: account, secret });
}

/** Whether it has the form of a code, so that the secret is needed to judge it. */
export function isTotpCode(typed: string): boolean {
  return CODE.test(typed);
}

/**
 * The number of the 30 seconds whose code this is: these, those before or those after, for clocks that are half a minute off. Null for
 * any other code. A step taken once is never taken again, nor one before it (STEP-2).
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!isTotpCode(code)) return null;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: PERIOD,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
