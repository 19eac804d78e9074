/**
 * Names of browsers and their patterns. The order matters: the `User-Agent` of most browsers also contains names of
 * browsers that come later in this list.
 */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*\bSafari\//],
] as const;
/** The order matters: `User-Agent` contains `Linux` on Android too, and `Mac OS X` on iOS too. */
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A readable `User-Agent`: `Firefox 145, Windows`. An unknown text is returned unchanged. */
export function browserName(userAgent: string): string {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = SYSTEMS.find(([, known]) => known.test(userAgent))?.[0];
    return [`${name} ${version}`, system].filter(Boolean).join(', ');
  }
  return userAgent;
}
