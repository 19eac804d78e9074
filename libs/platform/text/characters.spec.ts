import { isVisible, withoutControls } from './characters';

describe('control characters other than tab, line ends and NUL', () => {
  it.each([
    ['a\u0007b\u001b[31mc', 'ab[31mc'],
    ['\u0001\u0008\u000b\u000c\u000e\u001f', ''],
    ['\u007f\u0080\u0085\u009f', ''],
    ['a\tb\r\nc\n', 'a\tb\r\nc\n'],
    ['a\0b', 'a\0b'],
    ['\u00a0ž🎉\u200d', '\u00a0ž🎉\u200d'],
  ])('are removed from %j; the remaining text is %j', (text, left) => expect(withoutControls(text)).toBe(left));
});

describe('visible text', () => {
  it.each([
    ['.', true],
    ['<3', true],
    ['&nbsp;', true],
    ['👨\u200d👩', true],
    ['\u200b\u2060\ufeff', false],
    [' \u00a0\t\u3164', false],
    ['\u034f', false],
    ['\u115f', false],
    ['\u1160', false],
    ['\u2800', false],
    ['\uffa0', false],
    ['\ufe0f\u{e0100}', false],
    ['☀\ufe0f', true],
    ['\u00ad\u202e\u0007', false],
    ['', false],
  ])('is contained in %j: %s', (text, visible) => expect(isVisible(text)).toBe(visible));
});
