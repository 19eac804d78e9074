/**
 * A text in both languages. For example, `{max}` is replaced by the value `max`, and `{max|znak|znaky|znaků}` by the
 * form of the word that fits this value.
 */
interface Message {
  readonly en: string;
  readonly cs: string;
}

/** The texts of responses; most are validation errors of fields. Texts of error codes are in contract/refusals.ts. */
export const MESSAGES = {
  // The request and its special headers and parameters
  and_more: { en: '(and {count} more)', cs: '(a {count} {count|další|další|dalších})' },
  body_unreadable: { en: 'The body cannot be read.', cs: 'Tělo požadavku nelze přečíst.' },

  idempotency_key: {
    en: 'This header must appear once in the request and have {min} to {max} printable ASCII characters.',
    cs: 'Tato hlavička musí být v požadavku jen jednou a mít {min} až {max} tisknutelných znaků ASCII.',
  },

  idempotency_key_argument: {
    en: 'This must have {min} to {max} printable ASCII characters.',
    cs: 'Toto musí mít {min} až {max} tisknutelných znaků ASCII.',
  },

  request_status: {
    en: 'This must be a status such as 404, or a class such as 4xx.',
    cs: 'Toto musí být stav, například 404, nebo třída stavů, například 4xx.',
  },

  request_before: { en: 'This is not the id of a request.', cs: 'Toto není id požadavku.' },

  prefer_dry_run: {
    en: 'For a dry run, send the preference `dry-run` without a value.',
    cs: 'Pro zkoušku nanečisto pošlete předvolbu `dry-run` bez hodnoty.',
  },

  cursor: { en: 'This is not a cursor of this feed.', cs: 'Toto není kurzor tohoto přehledu.' },

  bbox: {
    en: 'This must be four numbers in degrees: west,south,east,north. South must not be above north.',
    cs: 'Toto musí být čtyři čísla ve stupních: západ,jih,východ,sever. Jih nesmí být nad severem.',
  },

  // Any field
  required: { en: 'This is required.', cs: 'Toto pole je povinné.' },
  not_null: { en: 'This must not be empty.', cs: 'Toto pole nesmí být prázdné.' },
  unknown: { en: 'This does not exist.', cs: 'Nic takového neexistuje.' },
  not_taken: {
    en: 'This request takes no field or parameter with this name.',
    cs: 'Pole ani parametr s tímto názvem tento požadavek nepřijímá.',
  },
  not_changeable: { en: 'This cannot be changed.', cs: 'Toto nelze změnit.' },

  // Texts
  string: { en: 'This must be a text.', cs: 'Toto musí být text.' },
  characters: { en: 'This contains characters that cannot be stored.', cs: 'Text obsahuje znaky, které nelze uložit.' },
  too_short: {
    en: 'This must have at least {min} {min|character|characters}.',
    cs: 'Text musí mít alespoň {min} {min|znak|znaky|znaků}.',
  },
  too_long: {
    en: 'This must have at most {max} {max|character|characters}.',
    cs: 'Text smí mít nejvýše {max} {max|znak|znaky|znaků}.',
  },
  one_of: { en: 'This must be one of: {values}.', cs: 'Povolené hodnoty jsou: {values}.' },
  url: { en: 'This must be a full http or https address.', cs: 'Toto musí být úplná adresa http nebo https.' },
  url_unreachable: {
    en: 'This must be an existing https address that is reachable from the internet and has no user name or password.',
    cs: 'Musí to být adresa https bez uživatelského jména a hesla, která existuje a je dostupná z internetu.',
  },
  place_unknown: {
    en: 'We do not know a place of this name. Check its spelling, or give coordinates.',
    cs: 'Místo toho jména neznáme. Zkontrolujte, jak je napsané, nebo zadejte souřadnice.',
  },
  own_place_unknown: {
    en: 'We do not know a place of this name. Check its spelling, or enter a larger place nearby.',
    cs: 'Místo toho jména neznáme. Zkontrolujte, jak je napsané, nebo zadejte větší obec poblíž.',
  },
  place_several: {
    en: 'There are several places of this name.',
    cs: 'Míst toho jména je víc.',
  },
  import_no_source: {
    en: 'Choose a file, or type an address.',
    cs: 'Vyberte soubor, nebo napište adresu.',
  },
  import_nothing: {
    en: 'We found no event that we can read.',
    cs: 'Nenašli jsme žádnou akci, kterou bychom uměli načíst.',
  },
  import_no_answer: {
    en: 'We could not open this address. Check it, or choose a calendar file instead.',
    cs: 'Tuto adresu se nám nepodařilo otevřít. Zkontrolujte ji, nebo vyberte soubor kalendáře.',
  },
  import_too_large: {
    en: 'The file at this address is larger than 2 MB.',
    cs: 'Soubor na této adrese je větší než 2 MB.',
  },
  push_keys: {
    en: 'These must be the keys of a push subscription.',
    cs: 'Toto musí být klíče odběru push zpráv.',
  },
  app_refused: { en: 'This app cannot be connected', cs: 'Tuto aplikaci nelze připojit' },
  app_unknown: {
    en: 'We do not know the app that sent you here. It may have been removed.',
    cs: 'Aplikaci, která vás sem poslala, neznáme. Možná byla odebrána.',
  },
  app_address_unknown: {
    en: 'The app did not register the address to which we would send you back. Only its developer can correct this.',
    cs: 'Aplikace nemá zaregistrovanou adresu, na kterou bychom vás vrátili. Napravit to může jen její vývojář.',
  },
  redirect_address: {
    en: 'This must be an https address, an http address with localhost, 127.0.0.1 or [::1], or an address with a scheme that contains a dot: {address}',
    cs: 'Musí to být adresa https, adresa http s localhost, 127.0.0.1 nebo [::1], nebo adresa se schématem s tečkou: {address}',
  },
  redirect_addresses: {
    en: 'This must have {min} to {max} addresses, one per line.',
    cs: 'Zadejte {min} až {max} adres, každou na samostatný řádek.',
  },
  deceptive_characters: {
    en: 'This must not contain control characters or characters that change the direction of the text.',
    cs: 'Nesmí obsahovat řídicí znaky ani znaky, které mění směr textu.',
  },
  url_with_login: {
    en: 'This must not contain a user name or password.',
    cs: 'Adresa nesmí obsahovat jméno ani heslo.',
  },
  invisible: {
    en: 'This needs at least one visible character.',
    cs: 'Text musí obsahovat aspoň jeden viditelný znak.',
  },
  empty_html: { en: 'This contains no readable text.', cs: 'Toto neobsahuje žádný čitelný text.' },

  // Numbers and booleans
  boolean: { en: 'This must be true or false.', cs: 'Toto musí být true nebo false.' },
  integer: { en: 'This must be a whole number.', cs: 'Toto musí být celé číslo.' },
  number: { en: 'This must be a number.', cs: 'Toto musí být číslo.' },
  too_small: { en: 'This must be at least {min}.', cs: 'Hodnota musí být alespoň {min}.' },
  too_large: { en: 'This must be at most {max}.', cs: 'Hodnota smí být nejvýše {max}.' },
  decimals: {
    en: 'This may have at most {decimals} decimal {decimals|place|places}.',
    cs: 'Číslo smí mít nejvýše {decimals} {decimals|desetinné místo|desetinná místa|desetinných míst}.',
  },

  // Times
  datetime: {
    en: 'This must be a date and time such as 2026-11-20T18:00:00Z.',
    cs: 'Toto musí být datum a čas, například 2026-11-20T18:00:00Z.',
  },
  day: { en: 'This must be a day such as 2026-11-20.', cs: 'Toto musí být den, například 2026-11-20.' },
  years: { en: 'The year must be from {min} to {max}.', cs: 'Rok musí být od {min} do {max}.' },
  not_in_the_past: { en: 'This must not be in the past.', cs: 'Toto nesmí být v minulosti.' },
  not_in_the_future: { en: 'This must not be in the future.', cs: 'Toto nesmí být v budoucnosti.' },
  after: { en: 'This must be after {field}.', cs: 'Toto musí být později než {field}.' },
  not_before: { en: 'This must not be before {field}.', cs: 'Toto nesmí být dříve než {field}.' },

  // Lists and objects
  list: { en: 'This must be a list.', cs: 'Toto musí být seznam.' },
  list_too_short: {
    en: 'This must have at least {min} {min|item|items}.',
    cs: 'Seznam musí mít alespoň {min} {min|položku|položky|položek}.',
  },
  list_too_long: {
    en: 'This must have at most {max} {max|item|items}.',
    cs: 'Seznam smí mít nejvýše {max} {max|položku|položky|položek}.',
  },
  repeated: { en: 'This is in the list twice.', cs: 'Toto je v seznamu dvakrát.' },
  object: { en: 'This must be an object.', cs: 'Toto musí být objekt.' },

  // Several fields together
  only_with: { en: 'This can only be used together with {field}.', cs: 'Toto lze zadat jen společně s {field}.' },
  required_with: { en: 'This is required together with {field}.', cs: 'Toto je nutné vyplnit společně s {field}.' },
  not_together: { en: 'This cannot be combined with {field}.', cs: 'Toto nelze zadat společně s {field}.' },
  not_the_same: { en: 'This must not be the same as {field}.', cs: 'Hodnota nesmí být stejná jako {field}.' },
  not_below: { en: 'This must not be lower than {field}.', cs: 'Hodnota nesmí být nižší než {field}.' },
  one_required: { en: 'At least one of these is required: {fields}.', cs: 'Je potřeba alespoň jedno z: {fields}.' },
  one_only: { en: 'Only one of these may be sent: {fields}.', cs: 'Poslat lze jen jedno z: {fields}.' },

  // Accounts
  email: { en: 'This must be an e-mail address.', cs: 'Toto musí být e-mailová adresa.' },
  user_slug: {
    en: 'Only lower-case letters (without accents) and digits, with hyphens between them.',
    cs: 'Jen malá písmena (bez diakritiky) a číslice, mezi nimi pomlčky.',
  },
  user_slug_taken: {
    en: 'This profile address is not available.',
    cs: 'Tato adresa profilu není volná.',
  },
  own_thing: { en: 'You cannot report your own content.', cs: 'Vlastní obsah nahlásit nelze.' },
  not_oneself: { en: 'This must be another person, not you.', cs: 'Toto musí být někdo jiný než vy.' },
  timezone: {
    en: 'This must be a time zone such as Europe/Prague.',
    cs: 'Toto musí být časové pásmo, například Europe/Prague.',
  },
  iban: { en: 'This must be a valid IBAN.', cs: 'Toto musí být platný IBAN.' },

  // Events and series
  requests_are_free: {
    en: 'People cannot ask to join an event that has a price in credits.',
    cs: 'O účast na akci s cenou v kreditech nelze žádat.',
  },
  somebody_waits: {
    en: 'Somebody is on the waitlist. An event that people must ask to join cannot have a waitlist.',
    cs: 'Někdo je na čekací listině. Akce, na které se o účast žádá, nemůže mít čekací listinu.',
  },
  below_participants: {
    en: 'There {count|is|are} already {count} {count|participant|participants}.',
    cs: 'Účastní se už {count} {count|člověk|lidé|lidí}.',
  },
  below_taken_seats: {
    en: '{count} {count|seat is|seats are} already taken or offered.',
    cs: '{count|Obsazeno nebo nabídnuto je|Obsazena nebo nabídnuta jsou|Obsazeno nebo nabídnuto je} už {count} {count|místo|místa|míst}.',
  },
  password_required: {
    en: 'An event that people join with a password needs a password.',
    cs: 'Akce, na kterou se vstupuje s heslem, musí mít heslo.',
  },
  seeking_company: {
    en: 'You can look for company only for a public event that you organize here, with {min} to {max} seats and no price in credits. Anyone must be able to join it or to ask to join.',
    cs: 'Partu lze hledat jen pro vlastní veřejnou akci s {min} až {max} místy a bez ceny v kreditech. Kdokoli se na ni musí moci přidat, nebo o účast požádat.',
  },
  not_your_group: { en: 'You do not belong to this group.', cs: 'Do této skupiny nepatříte.' },
  not_your_event: {
    en: 'You neither organize nor attend this event.',
    cs: 'Tuto akci nepořádáte ani se jí neúčastníte.',
  },

  // Files
  file: { en: 'This must be a file.', cs: 'Toto musí být soubor.' },
  file_empty: { en: 'The file is empty.', cs: 'Soubor je prázdný.' },
  file_too_large: {
    en: 'The file must not be larger than {megabytes} MB.',
    cs: 'Soubor smí mít nejvýše {megabytes} MB.',
  },
  files_too_few: {
    en: 'Please send at least {min} {min|file|files}.',
    cs: 'Pošlete prosím alespoň {min} {min|soubor|soubory|souborů}.',
  },
  files_too_many: {
    en: 'Please send at most {max} {max|file|files}.',
    cs: 'Pošlete prosím nejvýše {max} {max|soubor|soubory|souborů}.',
  },
  image_unreadable: {
    en: 'This image cannot be read. Send a JPEG, PNG, WebP, GIF, AVIF or HEIC.',
    cs: 'Tento obrázek nelze přečíst. Pošlete JPEG, PNG, WebP, GIF, AVIF nebo HEIC.',
  },
  image_too_large: { en: 'The image has too many pixels.', cs: 'Obrázek má příliš mnoho pixelů.' },
  video_unreadable: {
    en: 'This video cannot be read. Send an MP4, MOV, WebM, MKV or 3GP.',
    cs: 'Toto video nelze přečíst. Pošlete MP4, MOV, WebM, MKV nebo 3GP.',
  },
  video_too_large: {
    en: 'The video is too large to be converted: too many pixels, too many frames, or too long.',
    cs: 'Video je na převod příliš velké: má příliš mnoho pixelů, příliš mnoho snímků, nebo je příliš dlouhé.',
  },

  // Problems of the server
  videos_unavailable: {
    en: 'Videos cannot be uploaded at the moment. Everything else works.',
    cs: 'Videa teď nelze nahrát. Všechno ostatní funguje.',
  },
  files_unavailable: {
    en: 'Files cannot be stored at the moment. Everything else works.',
    cs: 'Soubory teď nelze uložit. Všechno ostatní funguje.',
  },
  maintenance: {
    en: 'Maintenance is in progress: everything can be read, and nothing can be changed. {message}',
    cs: 'Probíhá údržba: vše lze číst, nic nelze měnit. {message}',
  },
} as const satisfies Record<string, Message>;

export type MessageKey = keyof typeof MESSAGES;
