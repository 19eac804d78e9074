import { codingFor } from './content-coding';

describe('the content coding of a response', () => {
  // WIRE-52
  it.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['deflate, zstd', null],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['gzip;q=0.0', null],
    ['identity, gzip;q=0.5', null],
    ['gzip ; q=1', 'gzip'],
    ['gzip;q=nonsense', null],
    ['br;q=0.9, gzip', 'gzip'],
    ['br;q=5, gzip;q=0.5', 'gzip'],
    ['br;q=0.1234, gzip;q=0.1', 'gzip'],
  ])('is chosen by the header Accept-Encoding: %s selects %s', (header, coding) => {
    expect(codingFor(header)).toBe(coding);
  });
});
