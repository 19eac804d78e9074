import { headingsBelow } from './headings';

describe('headingsBelow', () => {
  // PAGE-39
  it.each([
    [1, '<h3>a</h3><p>b</p>', '<h2>a</h2><p>b</p>'],
    [1, '<h2>a</h2><h3>b</h3><h2>c</h2>', '<h2>a</h2><h3>b</h3><h2>c</h2>'],
    [1, '<h1>a</h1><h4>b</h4><h2>c</h2><h4>d</h4>', '<h2>a</h2><h3>b</h3><h3>c</h3><h4>d</h4>'],
    [2, '<h3>a</h3><h1>b</h1><h4>c</h4>', '<h3>a</h3><h3>b</h3><h4>c</h4>'],
    [5, '<h1>a</h1><h2>b</h2><h3>c</h3>', '<h6>a</h6><h6>b</h6><h6>c</h6>'],
    [1, '<h2>a <b>b</b></h2>&lt;h2&gt;<hr />', '<h2>a <b>b</b></h2>&lt;h2&gt;<hr />'],
    [1, 'no heading', 'no heading'],
  ])('gives headings deeper levels than %i, and skips no level: %s', (level, html, shifted) =>
    expect(headingsBelow(html, level)).toBe(shifted),
  );
});
