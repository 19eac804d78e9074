import { isValidIBAN } from 'ibantools';
import { paymentCode } from './payment-code';

const IBAN = 'CZ6508000000192000145399';

/**
 * Decodes a code according to the Czech QR Payment standard, version 1.0. A code is `SPD*1.0*`, followed by fields of
 * the form `KEY:value`, which are separated by `*`. Special characters in values are escaped as in URLs. The function
 * throws if a field that this service uses has a wrong length or a wrong character.
 */
function decode(code: string): Record<string, string> {
  if (!/^SPD\*\d+\.\d+(\*[0-9A-Z $%*+\-.]+:[^*]+)+\*?$/.test(code)) throw new Error(`no payment code: ${code}`);
  const fields = Object.fromEntries(
    code
      .split('*')
      .slice(2)
      .map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon), decodeURIComponent(field.slice(colon + 1))];
      }),
  );
  const { ACC = '', AM = '', CC = '', MSG } = fields;
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(ACC) || !isValidIBAN(ACC)) throw new Error(`ACC ${ACC}`);
  if (!/^\d{1,8}\.\d{2}$/.test(AM)) throw new Error(`AM ${AM}`);
  if (!/^[A-Z]{3}$/.test(CC)) throw new Error(`CC ${CC}`);
  if (MSG !== undefined && (MSG.length < 1 || MSG.length > 60)) throw new Error(`MSG ${MSG}`);
  return fields;
}

function codeFor(message: string): string {
  return paymentCode({ iban: IBAN, cents: 15_050, currency: 'CZK', message });
}

// EXP-12
describe('payment codes', () => {
  it('have the format that EXP-12 requires', () => {
    expect(codeFor('Výlet na Říp')).toBe(`SPD*1.0*ACC:${IBAN}*AM:150.50*CC:CZK*MSG:Vylet na Rip`);
  });

  it.each([
    [1, '0.01'],
    [700, '7.00'],
    [99_999_900, '999999.00'],
    [4_999_994_950, '49999949.50'],
  ])('represent %i cents as %s', (cents, amount) => {
    expect(decode(paymentCode({ iban: IBAN, cents, currency: 'EUR', message: 'x' }))).toEqual({
      ACC: IBAN,
      AM: amount,
      CC: 'EUR',
      MSG: 'x',
    });
  });

  it.each([
    ['Ž*l*uťoučký*ACC:CZ00*kůň', 'ZlutouckyACC:CZ00kun'],
    ['100 % sleva, 50%25', '100 % sleva, 50%25'],
    ['a＊b', 'ab'],
    ['Пикник + гриль', 'Piknik + gril'],
    ['Grilování 🎉 u řeky', 'Grilovani u reky'],
    ['„Oslava“ – 30!', '"Oslava" - 30!'],
    ['řádek\nřádek', 'radek radek'],
    ['x* *y', 'x y'],
  ])('encode the title %j as %j', (title, message) => expect(decode(codeFor(title))['MSG']).toBe(message));

  it.each(['🎉🎉🎉', '***', '  ', '日本'])(
    'have no empty message field if little or nothing remains of the title %j',
    (title) => {
      const fields = decode(codeFor(title));
      expect(fields['MSG'] ?? 'x').not.toBe('');
      expect(codeFor(title)).not.toContain('MSG:*');
    },
  );

  it('cut the escaped message to at most 60 characters, without an incomplete escape or a space at the end', () => {
    expect(decode(codeFor('ž'.repeat(100)))['MSG']).toBe('z'.repeat(60));
    expect(codeFor(`${'x'.repeat(58)}%%`).split('MSG:')[1]).toBe('x'.repeat(58));
    expect(codeFor(`${'x'.repeat(57)}%%`).split('MSG:')[1]).toBe(`${'x'.repeat(57)}%25`);
    expect(codeFor(`${'x'.repeat(59)} y`).split('MSG:')[1]).toBe('x'.repeat(59));
  });

  it('can be decoded with every character from U+0001 to U+2FFF in the title', () => {
    for (let point = 1; point < 0x3000; point++) {
      const message = decode(codeFor(`a${String.fromCodePoint(point)}b`))['MSG'] ?? '';
      expect(message).toMatch(/^[\x20-\x7e]+$/);
      expect(message).not.toContain('*');
    }
  });
});
