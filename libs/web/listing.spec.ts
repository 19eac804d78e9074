import { Page } from '#platform/http/page';
import { neighboursOf, pageNumber } from './listing';

// PAGE-28
describe('the links to the previous and the next page of a list', () => {
  const links = (url: string, page: number, total: number) =>
    neighboursOf(url, new Page([], total, { page, limit: 20, offset: (page - 1) * 20 })).map(({ rel, href }) => [
      rel,
      href,
    ]);

  it.each<[number, number, string[][]]>([
    [1, 0, []],
    [1, 20, []],
    [1, 21, [['next', '/?page=2']]],
    [
      2,
      41,
      [
        ['prev', '/?page=1'],
        ['next', '/?page=3'],
      ],
    ],
    [2, 40, [['prev', '/?page=1']]],
    [9, 40, [['prev', '/?page=2']]],
    [3, 0, [['prev', '/?page=1']]],
  ])('are correct on page %d if the list has %d entries', (page, total, expected) => {
    expect(links('/', page, total)).toEqual(expected);
  });

  it('contain the other parameters that are not empty, and `place` even if it is empty', () => {
    expect(links('/groups?q=a%26b&type=&place=&page=1', 1, 30)).toEqual([['next', '/groups?q=a%26b&place=&page=2']]);
  });
});

describe('the page number', () => {
  it.each<[unknown, number]>([
    ['7', 7],
    ['1', 1],
    ['0', 1],
    ['-3', 1],
    ['2x', 1],
    ['1234567890', 1],
    [['2'], 1],
    [undefined, 1],
  ])('for the parameter %j is %d', (text, expected) => expect(pageNumber(text)).toBe(expected));
});
