/** Control characters other than tab and line ends. NUL is not one of them here: a text with it is refused, not mended. */
const CONTROLS = /[^\P{Cc}\0\t\n\r]/gu;

/** A character that leaves a mark: no space, no control or format character, none of the letters that are blank. */
export const VISIBLE = /[^\s\p{C}\u034f\u115f\u1160\u2800\u3164\uffa0]/u;

/** What no XML 1.0 document may have, escaped or not (its production 2, Char): controls, halves of pairs, two noncharacters. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The text without control characters other than tab and line ends (WIRE-12): terminals obey them, and iCalendar forbids them. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** Whether anything can be read in a plain text: spaces and invisible characters alone are nothing. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** The text without what XML 1.0 has no way to write. */
export function withoutNonXml(text: string): string {
  return text.replace(NOT_XML, '');
}
