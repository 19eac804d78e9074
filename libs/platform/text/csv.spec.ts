import { csvFile } from './csv';

// PAY-11
describe('a CSV file', () => {
  it('has one line per row, and quotes cells with a comma, a quote or a line end', () => {
    expect(
      csvFile([
        ['a', 'b', 'c'],
        ['x,y', 'say "hi"', 'one\r\ntwo'],
        ['', 12.5, { day: '2026-11-20' }],
      ]),
    ).toBe('a,b,c\r\n"x,y","say ""hi""","one\r\ntwo"\r\n,12.5,2026-11-20\r\n');
  });

  // PAY-12
  it.each([
    '=1+1',
    '+420',
    '-5',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '=HYPERLINK("http://x","y")',
    '5',
    '007',
    '1.5',
    '1,5',
    '1 000',
    '50 %',
    '1e5',
    '2026-11-20',
    '12:30',
    '1/2',
    '(5)',
    '$5',
    '-$5',
    '($5)',
    '5 Kč',
    '12 KČ',
    'kč 5',
    '5,- Kč',
    '€ 5',
    '5€',
    '5 EUR',
    'EUR 5',
    '1 000 czk',
    '5 usd',
    '£5',
    '５',
    '１２．５',
    '＄５',
    '٥',
    '5:30 PM',
    '10 am',
    '5 May',
    'May 5',
    'jan-12',
    '12-Jan-2026',
    'March 5, 2026',
  ])('contains the value %j in a form that spreadsheets read as a text', (text) => {
    expect(
      csvFile([[text]])
        .replace(/^"|"?\r\n$/g, '')
        .replaceAll('""', '"'),
    ).toBe(`'${text}`);
  });

  // PAY-12
  it.each([
    'Chata',
    '3 piva',
    'a=b',
    'jana@example.org',
    '',
    'e',
    'E5',
    "'",
    '2026-11-22T03:00:00Z',
    '12 Kč za kus',
    'Kč',
    'EUR',
    '$',
    'kč/osoba',
    '5 eurovíkend',
    'May',
    'Mara 5 piv',
    '3 amfory',
    '(e)',
    'Chata (2)',
    'jan-novak',
    'jana-5',
  ])('contains %j unchanged', (text) => {
    expect(csvFile([[text]])).toBe(`${text}\r\n`);
  });
});
