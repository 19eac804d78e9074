import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes';

// STEP-7
describe('recovery codes', () => {
  it('are ten different codes of 16 letters and digits, in groups of four', () => {
    const codes = newRecoveryCodes();
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
  });

  it('are accepted in lower case, with other spaces and hyphens, and with the digits 0, 1 and 8 for the letters O, I and B', () => {
    const hash = recoveryCodeHash('OIBA-BCDE-FGHI-JKLM');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    for (const spelling of ['oiba bcde fghi jklm', 'OIBABCDEFGHIJKLM', ' o-i-b-a-bcdefghijklm ', '018A-8CDE-FGH1-JKLM'])
      expect([spelling, recoveryCodeHash(spelling)]).toEqual([spelling, hash]);
    expect(recoveryCodeHash('OIBA-BCDE-FGHI-JKLN')).not.toBe(hash);
  });

  it('are not recognized in a text of another length or with other characters', () => {
    for (const text of ['', 'OIBA-BCDE-FGHI-JKL', 'OIBA-BCDE-FGHI-JKLMN', 'OIBA-BCDE-FGHI-JKL9', '123456'])
      expect(recoveryCodeHash(text)).toBeNull();
  });
});
