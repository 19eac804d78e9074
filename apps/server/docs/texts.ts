import type { Locale } from '#contract/vocabulary';

/**
 * Headings and short texts of the pages below /docs. Long texts are in the files of the pages, in
 * `../document/introduction` and in `#contract`. `{name}` is replaced by a value.
 */
const TEXTS = {
  brand: { en: 'Events API', cs: 'API akcí' },
  to_content: { en: 'Skip to content', cs: 'Na obsah' },
  introduction: { en: 'Introduction', cs: 'Úvod' },
  tagline: { en: 'Build on events', cs: 'Stavte na akcích' },
  reference: { en: 'Reference', cs: 'Reference' },
  reference_text: {
    en: 'Every operation, with its examples: try it here with your own token, which stays in this browser.',
    cs: 'Každá operace s příklady: vyzkoušejte ji tady s vlastním tokenem, který zůstane v tomto prohlížeči. Texty jsou anglicky.',
  },
  reference_loading: { en: 'Loading the reference…', cs: 'Reference se načítá…' },
  reference_failed: {
    en: 'The reference could not be loaded. The list of operations and the OpenAPI document have the same content.',
    cs: 'Referenci se nepodařilo načíst. Všechno z ní je i v seznamu operací a v dokumentu OpenAPI.',
  },
  on_this_page: { en: 'On this page', cs: 'Na této stránce' },
  operations_intro: {
    en: 'Everything the API can do, area by area. Request bodies, responses and errors of each operation are in the [reference]({reference}) and in [the OpenAPI document]({document}).',
    cs: 'Všechno, co API umí, část po části. Těla požadavků, odpovědi a chyby každé operace jsou v [referenci]({reference}) a v [dokumentu OpenAPI]({document}).',
  },
  operation: { en: 'Operation', cs: 'Operace' },
  request: { en: 'Request', cs: 'Požadavek' },
  what_it_does: { en: 'What it does', cs: 'Co dělá' },
  for_programs: { en: 'For your tools', cs: 'Pro vaše nástroje' },
  openapi: { en: 'OpenAPI 3.1 document', cs: 'dokument OpenAPI 3.1' },
  openapi_older: { en: 'for generators that do not support 3.1', cs: 'pro generátory, které neznají 3.1' },
  collection: { en: 'Collection for Bruno', cs: 'Kolekce pro Bruno' },
  collection_text: {
    en: 'every operation with its example; set `token` in the environment of the collection',
    cs: 'každá operace s příkladem; v prostředí nastavte `token`',
  },
  sdk_text: {
    en: 'TypeScript SDK `@events-service/sdk`: it is in no registry; `npm run sdk` in the repository packs it, and `npm install` installs the tarball',
    cs: 'TypeScript SDK `@events-service/sdk`: v žádném registru není; v repozitáři ho zabalí `npm run sdk` a balíček nainstalujete přes `npm install`',
  },
  llms_text: { en: 'a list of these pages for language models', cs: 'seznam těchto stránek pro jazykové modely' },
  errors_text: { en: 'what each code means, and what to do', cs: 'co který kód znamená a co s ním' },
  operations_list_text: { en: 'all of them on one page', cs: 'všechny na jedné stránce' },
  errors: { en: 'Errors', cs: 'Chyby' },
  webhooks: { en: 'Webhooks', cs: 'Webhooky' },
  webhooks_text: { en: 'messages, signatures, retries, order', cs: 'zprávy, podpisy, opakování, pořadí' },
  embedding: { en: 'Calendars, feeds and frames', cs: 'Kalendáře, kanály a rámce' },
  embedding_text: {
    en: 'addresses that need no token: `.ics`, Atom, frames on other sites, oEmbed; import',
    cs: 'adresy, které nepotřebují token: `.ics`, Atom, rámce na jiných webech, oEmbed; import',
  },
  security: { en: 'Scopes and security', cs: 'Rozsahy a bezpečnost' },
  security_text: {
    en: 'what each scope allows, how tokens end, how to store them, what to do after a leak',
    cs: 'co který rozsah dovolí, jak tokeny končí, jak je ukládat a co dělat při úniku',
  },
  scope: { en: 'Scope', cs: 'Rozsah' },
  scope_text: { en: 'Text on the consent page', cs: 'Text na stránce se souhlasem' },
  scope_reads: { en: 'every operation that only reads', cs: 'všechny operace, které jen čtou' },
  scope_writes: { en: 'every operation', cs: 'všechny operace' },
  changes: { en: 'Changes', cs: 'Změny' },
  changes_text: {
    en: 'what each type of change means, and which scope it needs; streams',
    cs: 'co který typ změny znamená a jaký rozsah potřebuje; proudy',
  },
  change_type: { en: 'Type', cs: 'Typ' },
  or: { en: ' or ', cs: ' nebo ' },
  get_token: { en: 'Get a token', cs: 'Získat token' },
  as_markdown: { en: 'This page as Markdown', cs: 'Tato stránka jako Markdown' },
  missing: { en: 'Page not found', cs: 'Tady nic není' },
  missing_text: {
    en: 'This page does not exist. All codes are on the [errors page]({errors}).',
    cs: 'Taková stránka není. Všechny kódy jsou na [stránce chyb]({errors}).',
  },
  errors_intro: {
    en: 'Every error has a `code`, which never changes. Your program can rely on the code. The header `Link` of the response contains the address of the code’s page (listed below), which describes what the code means, when it occurs and what to do. Show `message` to people, and never parse it.',
    cs: 'Každá chyba má `code`, který se nikdy nemění. Váš program se podle něj může rozhodovat. Hlavička `Link` odpovědi vede na zdejší stránku, která popisuje, co kód znamená, kdy přichází a co s ním. `message` ukazujte lidem a nikdy ji nerozebírejte.',
  },
  code: { en: 'Code', cs: 'Kód' },
  status: { en: 'Status', cs: 'Stav' },
  text: { en: 'Text', cs: 'Text' },
  all_errors: { en: 'All errors', cs: 'Všechny chyby' },
  meaning: { en: 'What it means', cs: 'Co to znamená' },
  advice: { en: 'What to do', cs: 'Co s tím' },
  situations: { en: 'Situations', cs: 'Situace' },
  field_texts: { en: 'Texts in `errors`', cs: 'Co může být v `errors`' },
  field_texts_text: {
    en: 'The texts are for people and may change. Words in braces stand for values.',
    cs: 'Texty jsou pro lidi a mohou se měnit. Slova ve složených závorkách zastupují hodnoty.',
  },
  example: { en: 'Example', cs: 'Příklad' },
  operations: { en: 'Operations', cs: 'Operace' },
  operations_none: {
    en: 'No operation returns this code: the server returns the code before it knows which operation is requested.',
    cs: 'Tento kód nevrací žádná operace: server ho vrací dřív, než ví, kterou operaci požadavek žádá.',
  },
  operations_unknown_path: {
    en: 'Requests for unknown paths also get this code.',
    cs: 'Tento kód dostanou také požadavky na neznámé cesty.',
  },
  operations_every: { en: 'Every operation, all {count} of them.', cs: 'Každá z {count} operací.' },
  operations_writing: {
    en: 'Every operation that changes something, all {count} of them.',
    cs: 'Každá z {count} operací, které něco mění.',
  },
  operations_many: { en: '{count} operations:', cs: 'Počet operací: {count}.' },
} as const satisfies Record<string, Record<Locale, string>>;

export type DocsTextKey = keyof typeof TEXTS;

/** A function that returns a text in the page's language, with values in place of `{name}`. */
export type DocsTranslate = (key: DocsTextKey, values?: Readonly<Record<string, string | number>>) => string;

export function docsTranslator(locale: Locale): DocsTranslate {
  return (key, values = {}) =>
    TEXTS[key][locale].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
