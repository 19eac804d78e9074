import type { Locale } from '#contract/vocabulary';

/** Texts of the scripts on pages with forms: the editor, uploads, and the map to pick a place. */
export const FORM_SCRIPT_TEXTS = {
  editor_toolbar: { cs: 'Formátování textu', en: 'Text formatting' },
  editor_b: { cs: 'Tučně', en: 'Bold' },
  editor_i: { cs: 'Kurzíva', en: 'Italic' },
  editor_u: { cs: 'Podtržení', en: 'Underline' },
  editor_s: { cs: 'Přeškrtnutí', en: 'Strikethrough' },
  editor_h3: { cs: 'Nadpis', en: 'Heading' },
  editor_ul: { cs: 'Odrážky', en: 'Bulleted list' },
  editor_ol: { cs: 'Číslovaný seznam', en: 'Numbered list' },
  editor_blockquote: { cs: 'Citace', en: 'Quote' },
  editor_a: { cs: 'Odkaz', en: 'Link' },
  editor_link_address: { cs: 'Adresa odkazu', en: 'Address of the link' },
  editor_link_set: { cs: 'Použít', en: 'Apply' },
  editor_link_wrong: {
    cs: 'Tohle není adresa odkazu. Napište třeba https://priklad.cz nebo e-mailovou adresu.',
    en: 'This is not the address of a link. Type, for example, https://example.org or an e-mail address.',
  },
  uploading: { cs: 'Nahrává se…', en: 'Uploading…' },
  upload_working: { cs: 'Ukládá se…', en: 'Saving…' },
  pick_open: { cs: 'Vybrat na mapě', en: 'Pick on a map' },
  pick_map: {
    cs: 'Mapa. Posouváte ji šipkami, vybrané místo je uprostřed.',
    en: 'Map. Move it with the arrow keys; the chosen place is in the middle.',
  },
  pick_picked: { cs: 'Vybrané místo:', en: 'Chosen place:' },
} as const satisfies Record<string, Record<Locale, string>>;

/** The texts of the editor in one language. Their keys are the names that editor.js uses. */
export function editorWords(locale: Locale): Readonly<Record<string, string>> {
  const editorTexts = Object.entries(FORM_SCRIPT_TEXTS).filter(([key]) => key.startsWith('editor_'));
  return Object.fromEntries(editorTexts.map(([key, text]) => [key.slice('editor_'.length), text[locale]]));
}
