import { generateSync } from 'otplib';
import { newTotpSecret, stepOfCode, totpAddress } from './totp.rules';

/**
 * The secret of RFC 6238, appendix B (SHA-1): the ASCII text 12345678901234567890 in base 32. The RFC's codes have
 * eight digits; the codes below are the last six digits of these codes.
 */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

// STEP-2
describe('TOTP codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('match the test vector of RFC 6238 at %d seconds', (seconds, code) => {
    expect(stepOfCode(RFC_SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  });

  it('are accepted for half a minute before and after their period, but no longer', () => {
    const secret = newTotpSecret();
    const step = 60_000_000;
    const code = generateSync({ secret, epoch: step * 30 });
    const at = (seconds: number) => stepOfCode(secret, code, new Date((step * 30 + seconds) * 1000));
    expect([at(-30), at(0), at(29), at(59)]).toEqual([step, step, step, step]);
    expect([at(-31), at(60)]).toEqual([null, null]);
  });

  it('must have exactly six ASCII digits', () => {
    for (const code of ['', '12345', '1234567', '12a456', ' 123456', '١٢٣٤٥٦', '12345\u0000'])
      expect(stepOfCode(RFC_SECRET, code, new Date(0))).toBeNull();
  });

  it('are set up with the address in the QR code, which contains the secret and the names of the service and the account', () => {
    const url = new URL(totpAddress(RFC_SECRET, 'Akce & spol.', 'jana+1@example.org'));
    expect(decodeURIComponent(url.pathname)).toMatch(/Akce & spol\.:jana\+1@example\.org$/);
    expect([url.searchParams.get('secret'), url.searchParams.get('issuer')]).toEqual([RFC_SECRET, 'Akce & spol.']);
  });
});
