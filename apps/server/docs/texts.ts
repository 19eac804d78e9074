import type { Locale } from '#contract/vocabulary';

/** Every text of the pages below /docs that is neither the introduction nor about one code. `{name}` stands for a value. */
const TEXTS = {
  brand: { en: 'Events API', cs: 'API událostí' },
  to_content: { en: 'Skip to content', cs: 'Na obsah' },
  introduction: { en: 'Introduction', cs: 'Úvod' },
  tagline: { en: 'Build on events', cs: 'Stavte na událostech' },
  reference: { en: 'Reference', cs: 'Reference' },
  reference_text: {
    en: 'Every operation, with its examples: try it here with your own token, which stays in this browser.', cs: 'Každá operace s příklady: vyzkoušejte ji tady s vlastním tokenem, který zůstane v tomto prohlížeči. Texty jsou anglicky.',
  },
  reference_loading: { en: 'The reference is being loaded …', cs: 'Reference se načítá…' },
  reference_failed: { en: 'The reference could not be loaded. Everything in it is in the list of operations and in the OpenAPI document, too.', cs: 'Referenci se nepodařilo načíst. Všechno z ní je i v seznamu operací a v dokumentu OpenAPI.' },
  on_this_page: { en: 'On this page', cs: 'Na této stránce' },
  operations_intro: {
    en: 'What one can ask of the API, part by part. Bodies, answers and refusals of each stand in the [reference]({reference}) and in [the OpenAPI document]({document}).',
    cs: 'Co všechno lze po API chtít, část po části. Těla, odpovědi a odmítnutí každé operace jsou v [referenci]({reference}) a v [dokumentu OpenAPI]({document}).',
  },
  operation: { en: 'Operation', cs: 'Operace' },
  request: { en: 'Request', cs: 'Požadavek' },
  what_it_does: { en: 'What it does', cs: 'Co dělá' },
  for_programs: { en: 'For your tools', cs: 'Pro vaše nástroje' },
  openapi: { en: 'OpenAPI 3.1 document', cs: 'dokument OpenAPI 3.1' },
  openapi_older: { en: 'for generators that know no 3.1', cs: 'pro generátory, které neznají 3.1' },
  collection: { en: 'Collection for Bruno', cs: 'Kolekce pro Bruno' },
  collection_text: { en: 'every operation with its example; set `token` in its environment', cs: 'každá operace s příkladem; v prostředí nastavte `token`' },
  sdk_text: { en: 'TypeScript SDK, from the repository: `npm run sdk`', cs: 'TypeScript SDK, z repozitáře: `npm run sdk`' },
  llms_text: { en: 'these pages listed for language models', cs: 'seznam těchto stránek pro jazykové modely' },
  errors_text: { en: 'what each code means, and what to do', cs: 'co který kód znamená a co s ním' },
  operations_list_text: { en: 'all of them on one page', cs: 'všechny na jedné stránce' },
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
