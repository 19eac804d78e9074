import { localPath } from './local-path';

// PAGE-4
describe('the page after signing in', () => {
  it.each([
    '/',
    '/events/abc',
    '/account/requests?status=4xx&code=not_found',
    '/a?b=?c&b=',
    '/%C5%BE',
    '/events/abc#comments',
    '/account?x=1#frag',
    `/${'x'.repeat(499)}`,
  ])('may be %s', (path) => {
    expect(localPath(path)).toBe(path);
  });

  it.each([
    undefined,
    null,
    '',
    ['/events'],
    { path: '/events' },
    'events',
    ' /events',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/events\n',
    '/a\\b',
    '#a',
    '/a#b#c',
    '/a#<b',
    '/a"b',
    '/a<b',
    '/ž',
    'https://evil.example/',
    'javascript:alert(1)',
    `/${'x'.repeat(500)}`,
  ])('may not be %j', (path) => {
    expect(localPath(path)).toBeNull();
  });
});
