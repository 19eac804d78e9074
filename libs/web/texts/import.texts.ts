import type { Locale } from '#contract/vocabulary';

/** Texts of the import of events. */
export const IMPORT_TEXTS = {
  import_title: { cs: 'Převzít akci odjinud', en: 'Import an event' },
  import_text: {
    cs: 'Načteme akci ze souboru kalendáře nebo z webové adresy a předvyplníme formulář nové akce. Nic nevznikne, dokud formulář neodešlete.',
    en: 'We read the event from a calendar file or a web address and fill in the form for a new event. Nothing is created before you send the form.',
  },
  import_link: { cs: 'Máte akci už jinde?', en: 'Is your event already on another site?' },
  import_file: { cs: 'Soubor kalendáře (.ics)', en: 'Calendar file (.ics)' },
  import_file_hint: { cs: 'Nejvýše 2 MB.', en: 'At most 2 MB.' },
  import_url: { cs: 'Nebo webová adresa', en: 'Or a web address' },
  import_url_hint: {
    cs: 'Adresa stránky akce nebo souboru .ics. Začíná https:// nebo webcal://.',
    en: 'The address of a page about the event or of an .ics file. It begins with https:// or webcal://.',
  },
  import_do: { cs: 'Načíst', en: 'Read the event' },
  import_choose: { cs: 'Kterou akci chcete převzít?', en: 'Which event would you like to import?' },
  import_use: { cs: 'Použít tuto', en: 'Use this one' },
  import_most: {
    cs: 'Akcí je víc, než se sem vejde. Zobrazeno je jich jen {count}.',
    en: 'There are more events than fit here. Only {count} of them are shown.',
  },
  import_whole_day: { cs: '{day} (celý den)', en: '{day} (all day)' },
  import_no_title: { cs: 'bez názvu', en: 'without a title' },
  import_no_time: { cs: 'bez začátku', en: 'without a start' },
  import_filled: {
    cs: 'Formulář je předvyplněný. Zkontrolujte ho a odešlete.',
    en: 'The form is filled in. Check it and send it.',
  },
  import_note_all_day: {
    cs: 'Akce trvá celý den: doplňte, v kolik začíná.',
    en: 'The event lasts all day: fill in the time at which it starts.',
  },
  import_note_no_title: { cs: 'Název chybí: doplňte ho.', en: 'The title is missing: fill it in.' },
  import_note_no_start: { cs: 'Začátek chybí: doplňte ho.', en: 'The start is missing: fill it in.' },
  import_note_unknown_zone: {
    cs: 'Časové pásmo v souboru neznáme: zkontrolujte čas.',
    en: 'The time zone in the file is not known: check the time.',
  },
  import_note_cut: {
    cs: 'Text byl příliš dlouhý, zkrátili jsme ho.',
    en: 'The text was too long, so we have shortened it.',
  },
} as const satisfies Record<string, Record<Locale, string>>;
