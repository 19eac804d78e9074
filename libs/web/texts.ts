import type { Locale } from '#contract/vocabulary';

/** Every text of the pages, in both languages. `{name}` stands for a value. */
const TEXTS = {
  // Everywhere
  brand: { cs: 'Akce', en: 'Events' },
  to_content: { cs: 'Na obsah', en: 'Skip to content' },
  reference: { cs: 'Reference API', en: 'API reference' },
  sign_in: { cs: 'Přihlásit se', en: 'Sign in' },
  sign_out: { cs: 'Odhlásit se', en: 'Sign out' },
  register: { cs: 'Založit účet', en: 'Create an account' },
  account: { cs: 'Nastavení účtu', en: 'Account settings' },
  profile: { cs: 'Profil', en: 'Profile' },
  api_tab: { cs: 'API', en: 'API' },
  save: { cs: 'Uložit', en: 'Save' },
  saved: { cs: 'Uloženo.', en: 'Saved.' },
  home_title: { cs: 'Společné akce, otevřené API', en: 'Social events, an open API' },
  home_text: {
    cs: 'Procházejte veřejné akce, pořádejte vlastní a zvěte lidi – z libovolné aplikace. Vše začíná přístupovým tokenem.',
    en: 'Browse public events, run your own and invite people – from any app. It all starts with an access token.',
  },
  // Errors
  error_404: { cs: 'Tady nic není', en: 'There is nothing here' },
  error_404_text: { cs: 'Stránka neexistuje, byla smazána, nebo není veřejná.', en: 'The page does not exist, was deleted, or is not public.' },
  error_403: { cs: 'Formulář vypršel', en: 'The form has expired' },
  error_403_text: { cs: 'Vraťte se, obnovte stránku a zkuste to znovu.', en: 'Go back, reload the page and try again.' },
  error_429: { cs: 'Příliš mnoho pokusů', en: 'Too many attempts' },
  error_429_text: { cs: 'Zkuste to prosím za chvíli znovu.', en: 'Please try again in a while.' },
  error_500: { cs: 'Něco se pokazilo', en: 'Something went wrong' },
  error_500_text: { cs: 'Chyba je na naší straně. Zkuste to prosím později.', en: 'It is our fault. Please try again later.' },
  // Sign in, register
  email: { cs: 'E-mail', en: 'E-mail' },
  password: { cs: 'Heslo', en: 'Password' },
  password_hint: { cs: 'Alespoň 8 znaků.', en: 'At least 8 characters.' },
  sign_in_failed: { cs: 'E-mail nebo heslo nesedí.', en: 'E-mail or password do not match.' },
  register_failed: { cs: 'S těmito údaji účet založit nelze.', en: 'No account can be made with these.' },
  no_account: { cs: 'Nemáte účet?', en: 'No account yet?' },
  have_account: { cs: 'Účet už máte?', en: 'Already have an account?' },
  // Profile
  name: { cs: 'Jméno', en: 'Name' },
  nickname: { cs: 'Přezdívka', en: 'Nickname' },
  slug: { cs: 'Adresa profilu', en: 'Profile address' },
  slug_hint: { cs: 'Malá písmena bez diakritiky, číslice a pomlčky.', en: 'Lower-case letters, digits and hyphens.' },
  slug_wrong: { cs: 'Tuto adresu nelze použít.', en: 'This address cannot be used.' },
  slug_taken: { cs: 'Tuto adresu už má někdo jiný.', en: 'Somebody else has this address.' },
  locale: { cs: 'Jazyk', en: 'Language' },
  timezone: { cs: 'Časové pásmo', en: 'Time zone' },
  birth_date: { cs: 'Datum narození', en: 'Date of birth' },
  gender: { cs: 'Pohlaví', en: 'Gender' },
  gender_none: { cs: 'neuvedeno', en: 'not stated' },
  gender_male: { cs: 'muž', en: 'male' },
  gender_female: { cs: 'žena', en: 'female' },
  gender_other: { cs: 'jiné', en: 'other' },
  iban: { cs: 'IBAN pro vyrovnání výdajů', en: 'IBAN for settling expenses' },
  searchable: { cs: 'Ostatní mě mohou najít a zvát', en: 'Others can find and invite me' },
  avatar: { cs: 'Profilová fotka', en: 'Profile picture' },
  avatar_send: { cs: 'Nahrát fotku', en: 'Upload the picture' },
  // API tab
  tokens_title: { cs: 'Přístupové tokeny', en: 'Access tokens' },
  tokens_why_not: {
    cs: 'Tokeny mohou vytvářet účty s Premium, ověřené účty a správci. Váš účet zatím nic z toho není.',
    en: 'Tokens are for accounts with Premium, verified accounts and admins. Yours is none of these yet.',
  },
  tokens_none: { cs: 'Zatím žádné tokeny.', en: 'No tokens yet.' },
  tokens_full: { cs: 'Účet má nejvýše {max} tokenů. Nejprve některý zrušte.', en: 'An account has at most {max} tokens. Revoke one first.' },
  token_new: { cs: 'Nový token', en: 'A new token' },
  token_name: { cs: 'Název', en: 'Name' },
  token_name_hint: { cs: 'Podle čeho ho poznáte, třeba název aplikace.', en: 'How you will know it again, such as the app’s name.' },
  token_access: { cs: 'Přístup', en: 'Access' },
  access_read: { cs: 'jen čtení', en: 'read' },
  access_write: { cs: 'čtení a zápis', en: 'read + write' },
  access_legacy: { cs: 'plný (starší token)', en: 'full (older token)' },
  token_expires: { cs: 'Platí do (nepovinné)', en: 'Expires (optional)' },
  token_create: { cs: 'Vytvořit token', en: 'Create the token' },
  token_once: { cs: 'Token vidíte jen teď. Uložte si ho.', en: 'You see the token only now. Keep it safe.' },
  token_try: { cs: 'Vyzkoušejte ho', en: 'Try it' },
  copy: { cs: 'Kopírovat', en: 'Copy' },
  copied: { cs: 'Zkopírováno', en: 'Copied' },
  last_used: { cs: 'Naposledy', en: 'Last used' },
  never: { cs: 'nikdy', en: 'never' },
  expires: { cs: 'Platí do', en: 'Expires' },
  no_expiry: { cs: 'bez omezení', en: 'no expiry' },
  revoke: { cs: 'Zrušit', en: 'Revoke' },
  revoked: { cs: 'Token je zrušený.', en: 'The token is revoked.' },
  // Public pages
  when: { cs: 'Kdy', en: 'When' },
  where: { cs: 'Kde', en: 'Where' },
  map: { cs: 'mapa', en: 'map' },
  organizer: { cs: 'Pořádá', en: 'Organizer' },
  people: { cs: 'Lidé', en: 'People' },
  price: { cs: 'Cena', en: 'Price' },
  tickets: { cs: 'Vstupenky', en: 'Tickets' },
  calendar: { cs: 'Přidat do kalendáře (.ics)', en: 'Add to calendar (.ics)' },
  cancelled: { cs: 'zrušeno', en: 'cancelled' },
  plan: { cs: 'Program', en: 'Itinerary' },
  minutes: { cs: '{count} minut', en: '{count} minutes' },
  members: { cs: 'Členů: {count}', en: 'Members: {count}' },
  founder: { cs: 'Založil(a)', en: 'Founded by' },
  join_group: { cs: 'Přidat se ke skupině', en: 'Join the group' },
  join_sign_in: { cs: 'Přihlaste se a přidejte se', en: 'Sign in to join' },
  group_member: { cs: 'Jste členem této skupiny.', en: 'You are a member of this group.' },
  group_requested: { cs: 'Žádost o členství čeká na schválení.', en: 'Your request waits for approval.' },
  published: { cs: 'Zveřejněno', en: 'Published' },
} as const satisfies Record<string, Record<Locale, string>>;

export type TextKey = keyof typeof TEXTS;

/** A page's voice in one language. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export function sayIn(locale: Locale): Say {
  return (key, values = {}) => TEXTS[key][locale].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
