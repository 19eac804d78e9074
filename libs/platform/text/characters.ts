/** Control characters except tab and line ends. NUL is not included, because a text with NUL is refused. */
const CONTROLS = /[^\P{Cc}\0\t\n\r]/gu;

/**
 * A visible character. These are invisible: spaces, control, format, private-use and unassigned characters, unpaired
 * surrogates, variation selectors and blank letters.
 */
export const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Control characters, and characters that change the direction of a text. They can make a name look like another. */
const DECEPTIVE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Characters that an XML 1.0 document must not contain, not even escaped (production 2, Char, of the standard): control
 * characters, unpaired surrogates and two noncharacters.
 */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Removes control characters except tab, line ends and NUL (WIRE-12), because terminals interpret the removed
 * characters and iCalendar forbids them.
 */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** Replaces line breaks and other control characters by spaces. */
export function inOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** Whether a plain text contains a visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether a name contains characters that could make it look like another name. */
export function isDeceptive(name: string): boolean {
  return DECEPTIVE.test(name);
}

/** A plain text as HTML or XML, also inside double quotation marks. */
export function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Removes the characters that an XML 1.0 document must not contain. */
export function withoutNonXml(text: string): string {
  return text.replace(NOT_XML, '');
}
