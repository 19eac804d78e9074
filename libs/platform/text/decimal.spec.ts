import { decimalText } from './decimal';

describe('a number in decimal notation', () => {
  it.each([
    [0, '0'],
    [14.4283, '14.4283'],
    [-179.99999999999997, '-179.99999999999997'],
    [0.000001, '0.000001'],
    [5e-7, '0.0000005'],
    [-1.25e-9, '-0.00000000125'],
  ])('has no exponent: %d', (value, text) => {
    expect(decimalText(value)).toBe(text);
    expect(Number(text)).toBe(value);
  });
});
