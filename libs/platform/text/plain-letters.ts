/**
 * Letters that neither Unicode decomposition nor removing marks makes plain, as PostgreSQL's unaccent reads them:
 * the plain form, a space, everything that is read so. texts.spec.ts holds it against unaccent's own rules.
 */
const UNDECOMPOSABLE = [
  '(C) ©|(P) ℗|(R) ®|0 〇|A Ⱥᴀ|a ᶏẚⱥ|AA Ꜳ|aa ꜳ|AE Æᴁ|ae æ|AO Ꜵ|ao ꜵ|AU Ꜷ|au ꜷ|AV ꜸꜺ|av ꜹꜻ|AY Ꜽ|ay ꜽ|b ƀƃɓᵬᶀ',
  'B ƁƂɃʙᴃ|C ƇȻᴄꞒ|c ƈȼɕꞓ|CE ₠|Cr ₢|D ÐĐƉƊƋᴅᴆꝹ|d ðđƌȡɖɗᵭᶁᶑꝱꝺ|db ȸ|dz ʣʥ|E ƐɆᴇ|e ɇɛᶒᶓⱸ|F ƑꜰꝻ|f ƒᵮᶂꝼ|Fr. ₣',
  'G ƓǤɢʛꞠ|g ǥɠɡᶃꞡ|H ĦʜⱧꞪ|h ħɦɧⱨ|hv ƕ|i ıɨᶖ|I ƖƗɪᵻ|j ȷɉɟʝ|J Ɉᴊ|K ƘᴋⱩꝀꝂꝄꞢ|k ƙᶄⱪꝁꝃꝅꞣ|L ĿŁȽʟᴌⱠⱢꝆꝈ|l ŀłƚȴɫɬɭᶅⱡꝇꝉꝲ',
  'L. ₤|LL Ỻ|ll ỻ|ls ʪ|lz ʫ|m ɱᵯᶆꝳ|M ᴍⱮ|N ŊƝɴꞐꞤ|n ŋƞȵɲɳᵰᶇꝴꞑꞥ|O ØᴏꝊꝌ|o øⱺꝋꝍ|OE Œɶ|oe œ|OI Ƣ|oi ƣ|OO Ꝏ|oo ꝏ',
  'P Ƥᴘ℘ⱣꝐꝒꝔ|p ƥᵱᵽᶈꝑꝓꝕ|Pts ₧|q ĸʠꝗꝙ|Q ꝖꝘ|qp ȹ|R ɌʀⱤꝶꞦ|r ɍɼɽɾᵲᵳᶉꝵꞧ|Rs ₹|Rx ℞|s ȿʂᵴᶊẜẝꞩ|S ⱾꜱꞨ|ss ß|SS ẞ',
  'T ŦƬƮȾᴛꞆ|t ŧƫƭȶʈᵵⱦꝷꞇ|TH ÞꝤꝦ|th þᵺꝥꝧ|TL ₺|ts ʦ|U Ʉᴜᵾ|u ʉᶙ|ue ᵫ|V ƲᴠỼꝞ|v ʋᶌỽⱱⱴꝟ|VY Ꝡ|vy ꝡ|W ᴡⱲ|w ⱳ|x ᶍ',
  'Y ƳɎʏỾ|y ƴɏỿ|Z ƵȤᴢⱫⱿ|z ƶȥɀʐʑᵶᶎⱬ',
].join('|');

const PLAIN = new Map(
  UNDECOMPOSABLE.split('|').flatMap((group) => {
    const [plain = '', letters = ''] = group.split(' ');
    return [...letters].map((letter): [string, string] => [letter, plain]);
  }),
);

/** Fractions are words of their own. */
const FRACTION = /[\u00bc-\u00be\u2150-\u215f\u2189]/gu;
/** Enclosed, raised and lowered characters that decompose, but that unaccent leaves alone. */
const LEFT_ALONE =
  /[\u00b2\u00b3\u00b9\u1e9b\u2070\u2074-\u2079\u2080-\u2089\u20a8\u2120\u2122\u2460-\u2473\u24b6-\u24ea\u3250-\u325f\u32b1-\u32cf\u3358-\u3370\u3378-\u3379\u3382\u338c-\u338d\u3395-\u3398\u339b\u339f-\u33a6\u33a8\u33af\u33b2\u33b6\u33bc\u33c0-\u33c1\u33e0-\u33ff\ua7f1\u{1ccd6}-\u{1ccf9}\u{1d7ce}-\u{1d7ff}\u{1f12a}-\u{1f12e}\u{1f130}-\u{1f14f}\u{1f16a}-\u{1f16c}\u{1f190}\u{1fbf0}-\u{1fbf9}\u01e2\u01e3\u01fc-\u01ff\u2107\u210f]/gu;
const NOT_ASCII = /[^\0-\x7f]/u;

/** Latin letters without marks, as PostgreSQL's unaccent makes them; what is not Latin stays, without its marks. */
export function plainLetters(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .replace(/[^\0-\x7f]/gu, (letter) => PLAIN.get(letter) ?? letter)
    .replace(FRACTION, ' $&')
    .replace(LEFT_ALONE, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}
