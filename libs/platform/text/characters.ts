/** Control characters other than tab and line ends. NUL is not one of them here: a text with it is refused, not mended. */
const CONTROLS = /[^\P{Cc}\0\t\n\r]/gu;

/** A character that leaves a mark: no space, no control or format character, none of the letters that are blank. */
const VISIBLE = /[^\s\p{C}\u034f\u115f\u1160\u2800\u3164\uffa0]/u;

/** The text without control characters other than tab and line ends (WIRE-12): terminals obey them, and iCalendar forbids them. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** Whether anything can be read in a plain text: spaces and invisible characters alone are nothing. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
