import { isValidIBAN } from 'ibantools';
import { toBuffer } from 'qrcode';
import { readQr } from '#testing/qr';
import { epcCode } from './epc-code';

const IBAN = 'CZ6508000000192000145399';

interface CreditTransfer {
  readonly version: string;
  readonly bic: string;
  readonly name: string;
  readonly iban: string;
  readonly cents: number | null;
  readonly purpose: string;
  readonly reference: string;
  readonly remittance: string;
}

/**
 * Decodes a code according to EPC069-12. Each line is one element; lines are separated by LF or CR LF. The order of the
 * elements is fixed, and nothing may follow the last element. Each element has its own maximum length and alphabet.
 */
function decode(code: string): CreditTransfer {
  if (Buffer.byteLength(code) > 331) throw new Error(`${Buffer.byteLength(code)} bytes`);
  if (code !== code.trimEnd()) throw new Error('there is something after the last element');
  const elements = code.split(/\r?\n/);
  if (elements.some((element) => /[\p{Cc}\u2028\u2029]/u.test(element))) throw new Error('a control character');
  const [
    service,
    version = '',
    characters,
    identification,
    bic = '',
    name = '',
    iban = '',
    amount = '',
    purpose = '',
    reference = '',
    remittance = '',
    note = '',
  ] = elements;
  if (elements.length > 12) throw new Error(`${elements.length} elements`);
  if (service !== 'BCD' || !/^00[12]$/.test(version) || characters !== '1' || identification !== 'SCT')
    throw new Error(`no credit transfer: ${code}`);
  if (version === '001' ? !/^[A-Z0-9]{8}([A-Z0-9]{3})?$/.test(bic) : !/^([A-Z0-9]{8}([A-Z0-9]{3})?)?$/.test(bic))
    throw new Error(`BIC ${bic}`);
  if (name.length < 1 || name.length > 70) throw new Error(`name ${name}`);
  if (!isValidIBAN(iban)) throw new Error(`IBAN ${iban}`);
  const [, units, decimals = ''] = /^EUR(\d{1,9})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (amount !== '' && units === undefined) throw new Error(`amount ${amount}`);
  if (purpose.length > 4 || reference.length > 35 || remittance.length > 140 || note.length > 70)
    throw new Error(`too long: ${code}`);
  if (reference !== '' && remittance !== '') throw new Error('two remittances');
  return {
    version,
    bic,
    name,
    iban,
    cents: units === undefined ? null : Number(units) * 100 + Number(decimals.padEnd(2, '0')),
    purpose,
    reference,
    remittance,
  };
}

const codeFor = (name: string, message: string, cents = 1234): string => epcCode({ name, iban: IBAN, cents, message });

// PAY-10
describe('EPC codes', () => {
  it('contain the lines that PAY-10 requires', () => {
    expect(codeFor('Jana Nováková', 'Výlet na Říp')).toBe(
      `BCD\n002\n1\nSCT\n\nJana Nováková\n${IBAN}\nEUR12.34\n\n\nVýlet na Říp`,
    );
  });

  // Tests the function `decode` above. It must accept codes of other implementations in both versions, and must refuse
  // codes that violate the standard.
  it('are accepted by the decoder of this file only if they follow the standard', () => {
    expect(decode('BCD\n001\n1\nSCT\nBPOTBEB1\nRed Cross\nBE72000000001616\nEUR1\nCHAR\n\nFund\nSample')).toMatchObject(
      { bic: 'BPOTBEB1', cents: 100, purpose: 'CHAR', remittance: 'Fund' },
    );
    expect(decode('BCD\r\n002\r\n1\r\nSCT\r\n\r\nRed Cross\r\nBE72000000001616\r\nEUR0.5')).toMatchObject({
      cents: 50,
      remittance: '',
    });
    for (const wrong of [
      'BCD\n001\n1\nSCT\n\nA\nBE72000000001616\nEUR1',
      'BCD\n002\n1\nSCT\n\n\nBE72000000001616\nEUR1',
      'BCD\n002\n1\nSCT\n\nA\nBE72000000001617\nEUR1',
      'BCD\n002\n1\nSCT\n\nA\nBE72000000001616\nEUR1\n',
    ]) {
      expect(() => decode(wrong)).toThrow();
    }
  });

  // The standard requires error correction level M and at most version 13.
  it.each([
    ['short', 'Jana Nováková', 'Výlet na Říp'],
    ['too long', 'ž'.repeat(80), 'Chata 🎉 '.repeat(40)],
  ])('are read from a picture by an independent QR decoder if name and message are %s', async (_, name, message) => {
    const code = codeFor(name, message, 24_999_975_000);
    const picture = await toBuffer(code, { errorCorrectionLevel: 'M', version: 13, scale: 8 });
    expect((await readQr(picture)).text).toBe(code);
  });

  it.each([1, 99, 100, 1234, 99_999_900, 4_999_994_950, 24_999_975_000])('contain the amount of %i cents', (cents) => {
    expect(decode(codeFor('Jana', 'Chata', cents))).toMatchObject({
      version: '002',
      bic: '',
      name: 'Jana',
      iban: IBAN,
      cents,
      purpose: '',
      reference: '',
      remittance: 'Chata',
    });
  });

  it.each(['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v\f', '\t', '\u009f'])(
    'contain a space instead of %j in names and messages',
    (separator) => {
      expect(decode(codeFor(`Jana${separator}Nová`, `první${separator}druhá${separator}`))).toMatchObject({
        name: 'Jana Nová',
        remittance: 'první druhá',
      });
    },
  );

  it.each(['x', 'ž', '日', '🎉', '👩‍👩‍👧'])(
    'have at most 331 bytes and no truncated character, even if the name and the message are long and consist of %s',
    (letter) => {
      for (const length of [1, 35, 69, 70, 71, 100, 140, 141, 300]) {
        const code = codeFor(letter.repeat(100), letter.repeat(length), 24_999_975_000);
        const { name, remittance } = decode(code);
        expect(letter.repeat(100).startsWith(name)).toBe(true);
        expect(letter.repeat(length).startsWith(remittance)).toBe(true);
        expect(Buffer.from(code).toString()).toBe(code);
        expect(remittance).not.toBe('');
      }
      const full = codeFor(letter.repeat(100), letter.repeat(300));
      const { name, remittance } = decode(full);
      const bytesOfCharacter = Buffer.byteLength([...letter][0] as string);
      // The message is shortened only if one more character would exceed a limit.
      expect(remittance.length >= 139 || Buffer.byteLength(full) + bytesOfCharacter > 331).toBe(true);
      expect(name.length).toBeGreaterThan(60);
    },
  );

  it('can be decoded with every character below U+3000 in the message', () => {
    for (let point = 1; point < 0x3000; point++) decode(codeFor('Jana', `a${String.fromCodePoint(point)}b`));
  });
});
