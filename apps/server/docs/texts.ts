import type { Locale } from '#contract/vocabulary';

/** Every text of the pages below /docs that is neither the introduction nor about one code. `{name}` stands for a value. */
const TEXTS = {
  brand: { en: 'Events API', cs: 'API událostí' },
  to_content: { en: 'Skip to content', cs: 'Na obsah' },
  introduction: { en: 'Introduction', cs: 'Úvod' },
  tagline: { en: 'Everything about events, for programs', cs: 'Všechno o událostech, pro programy' },
  errors: { en: 'Errors', cs: 'Chyby' },
  get_token: { en: 'Get a token', cs: 'Získat token' },
  as_markdown: { en: 'This page as Markdown', cs: 'Tato stránka jako Markdown' },
  missing: { en: 'There is nothing here', cs: 'Tady nic není' },
  missing_text: { en: 'There is no such page. All codes are on the [page of errors]({errors}).', cs: 'Taková stránka není. Všechny kódy jsou na [stránce chyb]({errors}).' },
  errors_intro: {
    en: 'Every refusal has a `code`, which never changes, and a page here that its header `Link` leads to: what the code means, when it comes, and what to do. Branch on the code, show `message` to people, and never parse it.',
    cs: 'Každé odmítnutí má `code`, který se nikdy nemění, a stránku, na kterou vede jeho hlavička `Link`: co kód znamená, kdy přichází a co s ním. Rozhodujte se podle kódu, `message` ukazujte lidem a nikdy ji nerozebírejte.',
  },
  code: { en: 'Code', cs: 'Kód' },
  status: { en: 'Status', cs: 'Stav' },
  text: { en: 'Text', cs: 'Text' },
  all_errors: { en: 'All errors', cs: 'Všechny chyby' },
  meaning: { en: 'What it means', cs: 'Co to znamená' },
  advice: { en: 'What to do', cs: 'Co s tím' },
  situations: { en: 'Situations', cs: 'Situace' },
  field_texts: { en: 'What `errors` can say', cs: 'Co může být v `errors`' },
  field_texts_text: { en: 'The texts are for people and may change. Words in braces stand for values.', cs: 'Texty jsou pro lidi a mohou se měnit. Slova ve složených závorkách zastupují hodnoty.' },
  example: { en: 'Example', cs: 'Příklad' },
  operations: { en: 'Operations', cs: 'Operace' },
  operations_none: {
    en: 'It belongs to no operation: it is answered before one is known.', cs: 'Nepatří k žádné operaci: odpovídá se jím dřív, než je nějaká známa.',
  },
  operations_unknown_path: { en: 'Beside these, every path that does not exist answers with it.', cs: 'Kromě nich jím odpovídá každá cesta, která neexistuje.' },
  operations_every: { en: 'Every operation, all {count} of them.', cs: 'Každá z {count} operací.' },
  operations_writing: { en: 'Every operation that changes something, all {count} of them.', cs: 'Každá z {count} operací, které něco mění.' },
  operations_many: { en: '{count} operations:', cs: 'Počet operací: {count}.' },
} as const satisfies Record<string, Record<Locale, string>>;

export type DocsTextKey = keyof typeof TEXTS;

/** A page's voice in one language. */
export type DocsSay = (key: DocsTextKey, values?: Readonly<Record<string, string | number>>) => string;

export function docsSayIn(locale: Locale): DocsSay {
  return (key, values = {}) => TEXTS[key][locale].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
