import type { CellPlan, RowsPlan } from './plan';
import { hasText, rawFields, rawOf, rowNumbers, valueOf } from './raw-fields';

const READER = { locale: 'cs', timezone: 'Europe/Prague' } as const;
const field = (as: CellPlan['as'], more: object = {}) => ({ as, name: 'field', ...more }) as unknown as CellPlan;

// PAGE-96
describe('the value of a field of a form', () => {
  const read = (plan: CellPlan, text: string) => valueOf(plan, { field: [text] }, READER);

  it.each([
    ['1234.5', '1234.5'],
    ['1 234,50', '1234.50'],
    ['1\u00a0234\u202f567', '1234567'],
    ['−3', '-3'],
    [' 7 ', '7'],
    ['1.234,50', '1.234,50'],
    ['1,2,3', '1,2,3'],
    ['12 lidí', '12 lidí'],
  ])(
    'is the number without spaces and with a decimal point, or the unchanged text if the text is not a number: %j',
    (text, value) => {
      expect(read(field('number'), text)).toBe(value);
    },
  );

  it('is null for an empty field and undefined for a field that was not sent, if the field is not a checkbox', () => {
    for (const as of ['number', 'time', 'text'] as const) {
      expect([read(field(as), ' '), read(field(as), '')]).toEqual([null, null]);
      expect(valueOf(field(as), {}, READER)).toBeUndefined();
    }
  });

  it('is `1` for a ticked checkbox, and otherwise `0`', () => {
    expect([read(field('check'), '1'), read(field('check'), '0'), valueOf(field('check'), {}, READER)]).toEqual([
      '1',
      '0',
      '0',
    ]);
  });

  it('is the instant of the reader’s local time; if that time does not exist, it is a text that the API refuses', () => {
    expect(read(field('time'), '2030-06-01T15:00')).toBe('2030-06-01T13:00:00.000Z');
    expect(read(field('time'), '2030-06-31T15:00')).toBe('no time');
  });

  it('is shown in the format in which browsers send it', () => {
    const show = (plan: CellPlan, value: unknown, reader: Parameters<typeof rawOf>[2] = READER) =>
      rawOf(plan, value, reader)['field'];
    expect(show(field('number', { isAmount: true }), 1234.5)).toEqual(['1234,50']);
    expect(show(field('number', { isAmount: true }), 1234.5, { ...READER, locale: 'en' })).toEqual(['1234.50']);
    expect(show(field('number'), 50.1)).toEqual(['50.1']);
    expect(show(field('number'), 5e-7)).toEqual(['0.0000005']);
    expect(show(field('time'), '2030-06-01T13:00:00Z')).toEqual(['2030-06-01T15:00']);
    expect([show(field('check'), true), show(field('check'), false)]).toEqual([['1'], undefined]);
    expect([show(field('text'), null), show(field('text'), 'a\r\nb')]).toEqual([[''], ['a b']]);
  });
});

describe('the fields of a sent form', () => {
  it('are texts with normalized line breaks', () => {
    expect({ ...rawFields({ one: 'a\r\nb\rc', many: ['x', 'y'], file: { size: 1 }, none: [] }) }).toEqual({
      one: ['a\nb\nc'],
      many: ['x', 'y'],
    });
    expect({ ...rawFields(null) }).toEqual({});
  });

  it('contain the rows of a list, whose numbers are read in ascending order', () => {
    const plan = {
      as: 'rows',
      name: 'stops',
      fields: [field('text', { name: 'title' }), field('check', { name: 'is_end' })],
    };
    const rows = plan as unknown as RowsPlan;
    const raw = { 'stops.10.title': ['b'], 'stops.2.title': ['a'], 'stops.2.is_end': ['1'], 'stops.x.title': ['c'] };
    expect(rowNumbers(rows, { ...raw, 'others.1.title': ['d'], 'stops.3': ['e'] })).toEqual([2, 10]);
    expect(hasText(rows, 2, raw)).toBe(true);
    expect(hasText(rows, 3, { 'stops.3.title': [' '], 'stops.3.is_end': ['1'] })).toBe(false);
  });
});
