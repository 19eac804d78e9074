import type { Locale } from '#contract/vocabulary';
import { BRAND } from '#platform/messages/brand';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { wordFor } from '#platform/messages/messages';
import { withoutBadBreaks } from './line-breaks';
import { APP_TEXTS } from './texts/apps.texts';
import { GOING_TEXTS } from './texts/going.texts';
import { DOOR_LINK_TEXTS } from './texts/door-link.texts';
import { DOOR_TEXTS } from './texts/door.texts';
import { EMBED_TEXTS } from './texts/embed.texts';
import { EVENT_TEXTS } from './texts/event.texts';
import { EXPLORE_TEXTS } from './texts/explore.texts';
import { GROUP_TEXTS } from './texts/group.texts';
import { FORM_SCRIPT_TEXTS } from './texts/form-script.texts';
import { FORM_TEXTS } from './texts/form.texts';
import { IMPORT_TEXTS } from './texts/import.texts';
import { ORGANIZER_TEXTS } from './texts/organizer.texts';
import { OWN_DATA_TEXTS } from './texts/own-data.texts';
import { REQUEST_TEXTS } from './texts/request.texts';
import { PLACE_TEXTS } from './texts/place.texts';
import { PUSH_TEXTS } from './texts/push.texts';
import { SITE_TEXTS } from './texts/site.texts';
import { SECOND_STEP_TEXTS } from './texts/second-step.texts';
import { SOCIAL_TEXTS } from './texts/social.texts';
import { WRITING_TEXTS } from './texts/writing.texts';
import { WEBHOOK_TEXTS } from './texts/webhook.texts';
import { SCOPE_PAGE_TEXTS } from './texts/scope.texts';
import { WAITLIST_TEXTS } from './texts/waitlist.texts';
import { MODERATION_TEXTS } from './texts/moderation.texts';
import { STATISTICS_TEXTS } from './texts/statistics.texts';

/**
 * Every text of the pages, in both languages. `{name}` is replaced by a value. `{name|day|days}` is replaced by the
 * form of the word that fits the number `name`.
 */
const TEXTS = {
  ...EVENT_TEXTS,
  ...EMBED_TEXTS,
  ...SITE_TEXTS,
  ...DOOR_LINK_TEXTS,
  ...GOING_TEXTS,
  ...DOOR_TEXTS,
  ...EXPLORE_TEXTS,
  ...GROUP_TEXTS,
  ...FORM_TEXTS,
  ...FORM_SCRIPT_TEXTS,
  ...IMPORT_TEXTS,
  ...ORGANIZER_TEXTS,
  ...OWN_DATA_TEXTS,
  ...REQUEST_TEXTS,
  ...PLACE_TEXTS,
  ...PUSH_TEXTS,
  ...SECOND_STEP_TEXTS,
  ...SOCIAL_TEXTS,
  ...WRITING_TEXTS,
  ...WEBHOOK_TEXTS,
  ...SCOPE_PAGE_TEXTS,
  ...APP_TEXTS,
  ...MODERATION_TEXTS,
  ...STATISTICS_TEXTS,
  ...WAITLIST_TEXTS,
  // Everywhere
  brand: BRAND,
  to_content: { cs: 'Na obsah', en: 'Skip to content' },
  nav_main: { cs: 'Co tu najdete', en: 'Browse' },
  nav_me: { cs: 'Vaše', en: 'Your account' },
  nav_menu: { cs: 'Menu', en: 'Menu' },
  nav_explore: { cs: 'Objevit', en: 'Explore' },
  nav_groups: { cs: 'Skupiny', en: 'Groups' },
  nav_puls: { cs: 'Puls', en: 'Puls' },
  nav_posts: { cs: 'Příspěvky', en: 'Posts' },
  my_events: { cs: 'Moje akce', en: 'My events' },
  to_start: { cs: 'Na hlavní stránku', en: 'Go to the home page' },
  sign_in_other: { cs: 'Přihlásit se jiným účtem', en: 'Sign in with another account' },
  reference: { cs: 'Reference API', en: 'API reference' },
  sign_in: { cs: 'Přihlásit se', en: 'Sign in' },
  sign_out: { cs: 'Odhlásit se', en: 'Sign out' },
  register: { cs: 'Založit účet', en: 'Create an account' },
  account: { cs: 'Nastavení účtu', en: 'Account settings' },
  profile: { cs: 'Profil', en: 'Profile' },
  api_tab: { cs: 'Pro vývojáře', en: 'For developers' },
  save: { cs: 'Uložit', en: 'Save' },
  required: { cs: 'povinné', en: 'required' },
  optional: { cs: 'nepovinné', en: 'optional' },
  saved: { cs: 'Uloženo.', en: 'Saved.' },
  // Fields
  quoted: { cs: '„{text}“', en: '“{text}”' },
  field_one_of: { cs: 'Vyberte jednu z nabízených možností.', en: 'Choose one of the options.' },
  field_after: { cs: 'Musí to být později než {field}.', en: 'This must be after {field}.' },
  field_too_short: {
    cs: 'Zadejte alespoň {min} {min|znak|znaky|znaků}.',
    en: 'Enter at least {min} {min|character|characters}.',
  },
  field_list_too_short: {
    cs: 'Vyberte nebo doplňte alespoň {min} {min|položku|položky|položek}.',
    en: 'Choose or fill in at least {min} {min|item|items}.',
  },
  field_day: {
    cs: 'Zadejte platné datum od roku {min}, například 20. 11. 2026.',
    en: 'Enter a valid date in or after {min}, for example 2026-11-20.',
  },
  field_datetime: { cs: 'Toto není platné datum a čas.', en: 'This is not a valid date and time.' },
  other_field: { cs: 'Další údaj', en: 'Another value' },
  list_wrong: { cs: 'Adresa tohoto seznamu není platná.', en: 'The address of this list is not valid.' },
  list_from_start: { cs: 'Otevřít seznam od začátku', en: 'Open the list from its beginning' },
  list_page: { cs: 'Stránka', en: 'Page' },
  list_per_page: { cs: 'Položek na stránce', en: 'Items per page' },
  list_relation: { cs: 'Které akce', en: 'Which events' },
  list_scope: { cs: 'Období', en: 'Period' },
  list_ids: { cs: 'Jen tyto akce', en: 'Only these events' },
  list_organizer: { cs: 'Pořadatel', en: 'Organizer' },
  list_series: { cs: 'Série', en: 'Series' },
  list_box: { cs: 'Výřez mapy', en: 'Area of the map' },
  list_starts_after: { cs: 'Začíná od', en: 'Starts on or after' },
  list_starts_before: { cs: 'Začíná dříve než', en: 'Starts before' },
  list_sort: { cs: 'Řazení', en: 'Order' },
  // Errors
  error_404: { cs: 'Tady nic není', en: 'Page not found' },
  error_404_text: {
    cs: 'Stránka neexistuje, byla smazána, nebo není veřejná. Možná ji uvidíte po přihlášení.',
    en: 'This page does not exist, has been deleted or is not public. You may be able to see it after signing in.',
  },
  error_404_member_text: {
    cs: 'Stránka neexistuje, byla smazána, nebo není veřejná. Možná ji uvidíte s jiným účtem.',
    en: 'This page does not exist, has been deleted or is not public. You may be able to see it with another account.',
  },
  error_403: { cs: 'Formulář vypršel', en: 'The form has expired' },
  error_403_text: {
    cs: 'Vraťte se, obnovte stránku a zkuste to znovu.',
    en: 'Go back, reload the page and try again.',
  },
  error_413: { cs: 'Formulář je příliš velký', en: 'The form is too large' },
  error_413_text: {
    cs: 'Vraťte se, zkraťte text nebo vyberte menší soubory a odešlete formulář znovu.',
    en: 'Go back, shorten the text or choose smaller files, and send the form again.',
  },
  error_429: { cs: 'Příliš mnoho pokusů', en: 'Too many attempts' },
  error_429_text: { cs: 'Zkuste to prosím za chvíli znovu.', en: 'Please try again in a few minutes.' },
  error_500: { cs: 'Něco se pokazilo', en: 'Something went wrong' },
  error_500_text: {
    cs: 'Chyba je na naší straně. Zkuste to prosím později.',
    en: 'The fault is ours. Please try again later.',
  },
  error_400: { cs: 'Požadavku nerozumíme', en: 'We could not read that request' },
  error_400_text: { cs: 'Vraťte se a zkuste to znovu.', en: 'Go back and try again.' },
  error_503: { cs: 'Chvilku strpení', en: 'One moment, please' },
  error_503_text: {
    cs: 'Služba teď nestíhá. Zkuste to prosím za chvíli.',
    en: 'The service is busy. Please try again in a moment.',
  },
  maintenance: { cs: 'Probíhá údržba', en: 'Maintenance in progress' },
  maintenance_text: {
    cs: 'Probíhá údržba. Všechno si můžete prohlížet, ale přihlásit se ani nic měnit teď nejde.',
    en: 'Maintenance is in progress. You can look at everything, but you cannot sign in or change anything now.',
  },
  // Signing in and registering
  email: { cs: 'E-mail', en: 'E-mail' },
  password: { cs: 'Heslo', en: 'Password' },
  password_hint: { cs: 'Alespoň 8 znaků.', en: 'At least 8 characters.' },
  sign_in_next: { cs: 'Pro pokračování se přihlaste.', en: 'Sign in to continue.' },
  sign_in_next_event: {
    cs: 'Po přihlášení budete pokračovat na akci „{title}“.',
    en: 'Sign in to continue to “{title}”.',
  },
  register_next_event: {
    cs: 'Po registraci budete pokračovat na akci „{title}“.',
    en: 'Register to continue to “{title}”.',
  },
  sign_in_failed: { cs: 'E-mail nebo heslo nesedí.', en: 'Wrong e-mail or password.' },
  register_failed: {
    cs: 'S těmito údaji nelze účet založit. Pokud už účet máte, přihlaste se.',
    en: 'No account can be created with these details. If you already have an account, sign in.',
  },
  no_account: { cs: 'Nemáte účet?', en: 'No account yet?' },
  have_account: { cs: 'Účet už máte?', en: 'Already have an account?' },
  sign_in_confirmed: {
    cs: 'Adresa je potvrzená. Teď se můžete přihlásit.',
    en: 'Your address is confirmed. You can sign in now.',
  },
  sign_in_reset: {
    cs: 'Heslo je nastavené a všude jste odhlášeni. Přihlaste se novým heslem.',
    en: 'Your new password is set and you have been signed out everywhere. Sign in with the new password now.',
  },
  sign_in_confirm: {
    cs: 'Novou adresu je nejprve třeba potvrdit odkazem z e-mailu.',
    en: 'A new address must first be confirmed with the link in our e-mail.',
  },
  register_sent: { cs: 'Podívejte se do pošty', en: 'Check your e-mail' },
  register_sent_text: {
    cs: 'Poslali jsme e-mail na {address}. Účet začne platit, až adresu potvrdíte odkazem v něm; odkaz platí jeden den.',
    en: 'We have sent an e-mail to {address}. Your account is ready once you confirm your address with the link in it. The link is valid for one day.',
  },
  register_sent_address: { cs: 'vaši adresu', en: 'your address' },
  register_other_address: { cs: 'Spletli jste se v adrese? Založte účet znovu', en: 'Wrong address? Register again' },
  register_send_again: { cs: 'Poslat znovu', en: 'Send again' },
  forgot_title: { cs: 'Zapomenuté heslo', en: 'Forgotten password' },
  forgot_link: { cs: 'Zapomenuté heslo?', en: 'Forgot your password?' },
  forgot_text: {
    cs: 'Napište adresu svého účtu. Pošleme na ni odkaz, kterým si nastavíte nové heslo.',
    en: 'Enter the e-mail address of your account, and we will send you a link to set a new password.',
  },
  forgot_send: { cs: 'Poslat odkaz', en: 'Send the link' },
  forgot_again: { cs: 'Poslat odkaz znovu', en: 'Send the link again' },
  forgot_sent: { cs: 'Podívejte se do pošty', en: 'Check your e-mail' },
  forgot_sent_text: {
    cs: 'Pokud je s touto adresou spojený účet, poslali jsme na ni odkaz. Platí 30 minut a jen jednou.',
    en: 'If there is an account with this address, we have sent it a link. The link works once and is valid for 30 minutes.',
  },
  reset_title: { cs: 'Nové heslo', en: 'New password' },
  reset_text: { cs: 'Nové heslo ukončí všechna přihlášení.', en: 'A new password signs you out everywhere.' },
  password_new: { cs: 'Nové heslo', en: 'New password' },
  password_save: { cs: 'Nastavit heslo', en: 'Set password' },
  confirm_title: { cs: 'Potvrzení adresy', en: 'Confirm address' },
  confirm_text: { cs: 'Potvrďte, že adresa {address} je vaše.', en: 'Confirm that the address {address} is yours.' },
  confirm_do: { cs: 'Potvrdit adresu', en: 'Confirm address' },
  link_void: { cs: 'Odkaz už neplatí', en: 'This link is no longer valid' },
  link_void_text: {
    cs: 'Byl použit, vypršel, nebo ho nahradil novější. Nechte si poslat nový.',
    en: 'It has been used, has expired or was replaced by a newer one. Please request a new link.',
  },
  link_void_confirm: {
    cs: 'Byl použit, vypršel, nebo není celý. Pokud jste adresu ještě nepotvrdili, pošleme vám nový odkaz.',
    en: 'It has been used, has expired, or is incomplete. If you have not confirmed your address yet, we can send you a new link.',
  },
  link_void_change: {
    cs: 'Byl použit, vypršel, nebo ho zrušila změna hesla či adresy. O nový požádáte na stránce Zabezpečení.',
    en: 'It has been used, has expired, or was cancelled because the password or the address changed. You can request a new link on the Security page.',
  },
  link_void_security: { cs: 'Změnit adresu', en: 'Change address' },
  link_again: { cs: 'Poslat nový odkaz', en: 'Send a new link' },
  again_sent: { cs: 'Podívejte se do pošty', en: 'Check your e-mail' },
  again_sent_text: {
    cs: 'Pokud s touto adresou čeká registrace na potvrzení, poslali jsme na ni nový odkaz. Platí jeden den.',
    en: 'If a registration with this address is waiting for confirmation, we have sent it a new link. The link is valid for one day.',
  },
  // Address and password
  security_tab: { cs: 'Zabezpečení', en: 'Security' },
  security_password: {
    cs: 'Heslo je změněné a jinde jste odhlášeni.',
    en: 'Your password has been changed, and you have been signed out everywhere else.',
  },
  security_email: { cs: 'Adresa je změněná.', en: 'Your address has been changed.' },
  security_email_sent: {
    cs: 'Poslali jsme odkaz na novou adresu. Adresa se změní, až ji potvrdíte.',
    en: 'We have sent a link to the new address. The address changes once you confirm it.',
  },
  email_current: { cs: 'Nyní:', en: 'Now:' },
  email_none: { cs: 'Účet nemá adresu.', en: 'This account has no e-mail address.' },
  email_new: { cs: 'Nový e-mail', en: 'New e-mail' },
  email_change: { cs: 'Změnit adresu', en: 'Change address' },
  email_not_possible: { cs: 'Tuto adresu použít nelze.', en: 'This address cannot be used.' },
  password_current: { cs: 'Současné heslo', en: 'Current password' },
  password_change_hint: {
    cs: 'Alespoň 8 znaků. Jinde vás to odhlásí.',
    en: 'At least 8 characters. You will be signed out everywhere else.',
  },
  wrong_password: { cs: 'Heslo nesedí.', en: 'Wrong password.' },
  // Mails
  choices_title: { cs: 'Připomínky a druhy oznámení', en: 'Reminders and kinds of notices' },
  reminder_hours: { cs: 'Připomenout akce, na které jdu', en: 'Remind me of events I take part in' },
  reminder_0: { cs: 'nepřipomínat', en: 'never' },
  reminder_2: { cs: '2 hodiny předem', en: '2 hours before' },
  reminder_24: { cs: 'den předem', en: 'a day before' },
  reminder_48: { cs: 'dva dny předem', en: 'two days before' },
  choices_kinds: { cs: 'Vybrat podle druhu oznámení', en: 'Choose for each kind of notice' },
  notice_kind: { cs: 'Oznámení', en: 'Notice' },
  channel_mail: { cs: 'E-mailem', en: 'By e-mail' },
  mails_text: {
    cs: 'Oznámení tu najdete vždy. Zaškrtněte, která mají přijít i mimo tuto stránku.',
    en: 'All notices appear on this page. Choose which ones should also reach you outside this page.',
  },
  mails_choose: { cs: 'Vybrat, které e-maily chci', en: 'Choose which e-mails you receive' },
  stop_title: { cs: 'Už neposílat?', en: 'Stop these e-mails?' },
  stop_text: {
    cs: 'Pokud to potvrdíte, přestaneme vám posílat e-maily tohoto druhu: {kind}. Ve svém účtu oznámení najdete dál.',
    en: 'If you confirm, we stop sending you e-mails about: {kind}. You will still find the notices in your account.',
  },
  stop_do: { cs: 'Neposílat', en: 'Stop these e-mails' },
  stopped: { cs: 'Už neposíláme', en: 'E-mails stopped' },
  stopped_text: {
    cs: 'E-maily tohoto druhu už nepřijdou: {kind}.',
    en: 'You will no longer receive e-mails about: {kind}.',
  },
  notice_group_own_events: { cs: 'Akce, které pořádáte', en: 'Events that you organize' },
  notice_group_joining: { cs: 'Akce, na které chodíte', en: 'Events that you join' },
  notice_group_groups: { cs: 'Skupiny a komentáře', en: 'Groups and comments' },
  notice_group_account: { cs: 'Účet a moderování', en: 'Account and moderation' },
  kind_event_cancelled: { cs: 'zrušená akce', en: 'a cancelled event' },
  kind_series_cancelled: { cs: 'zrušená série', en: 'a cancelled series' },
  kind_event_deleted: { cs: 'smazaná akce', en: 'a deleted event' },
  kind_invitation: { cs: 'pozvánka na akci', en: 'an invitation to an event' },
  kind_request: { cs: 'žádost o účast na vaší akci', en: 'a request to join your event' },
  kind_approval: { cs: 'schválená žádost', en: 'an approved request' },
  kind_decline: { cs: 'zamítnutá žádost', en: 'a declined request' },
  kind_promotion: { cs: 'místo z čekací listiny', en: 'a seat from the waitlist' },
  kind_content_removed: { cs: 'odstranění vašeho obsahu', en: 'content of yours that was removed' },
  kind_warning: { cs: 'upozornění od moderátorů', en: 'warnings from the moderators' },
  kind_account_banned: { cs: 'zablokování účtu', en: 'a ban on your account' },
  kind_objection_granted: { cs: 'vyhovění vaší námitce', en: 'an objection of yours that was accepted' },
  kind_objection_dismissed: { cs: 'zamítnutí vaší námitky', en: 'an objection of yours that was rejected' },
  kind_report_decided: { cs: 'rozhodnutí o vašich nahlášeních', en: 'decisions about your reports' },
  kind_webhook_paused: { cs: 'pozastavený webhook', en: 'a paused webhook' },
  kind_event_changed: { cs: 'nový čas nebo místo akce', en: 'a new time or place of an event' },
  kind_series_changed: { cs: 'nové místo série', en: 'a new place of a series' },
  kind_reminder: { cs: 'připomínka akce', en: 'a reminder of an event' },
  kind_joined: { cs: 'noví účastníci vaší akce', en: 'new participants of your event' },
  kind_waitlisted: { cs: 'noví lidé na čekací listině vaší akce', en: 'new people on the waitlist of your event' },
  kind_comment: {
    cs: 'komentáře k vašim akcím a příspěvkům a odpovědi v diskusích, ve kterých jste psali',
    en: 'comments on your events and posts, and replies in discussions in which you wrote',
  },
  kind_group_invitation: { cs: 'pozvánka do skupiny', en: 'an invitation to a group' },
  kind_group_request: { cs: 'žádost o vstup do vaší skupiny', en: 'a request to join your group' },
  kind_group_approval: { cs: 'schválená žádost o vstup do skupiny', en: 'an approved request to join a group' },
  kind_organizer_message: { cs: 'zpráva od pořadatele', en: 'a message from an organizer' },
  kind_removal: { cs: 'odebrání z akce', en: 'removal from an event' },
  // Profile
  name: { cs: 'Jméno', en: 'Name' },
  nickname: { cs: 'Přezdívka', en: 'Nickname' },
  slug: { cs: 'Adresa profilu', en: 'Profile address' },
  slug_hint: { cs: 'Malá písmena bez diakritiky, číslice a pomlčky.', en: 'Lower-case letters, digits and hyphens.' },
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
  // Sessions
  sessions_tab: { cs: 'Přihlášená zařízení', en: 'Sessions' },
  sessions_text: {
    cs: 'Přihlášení, které nepoznáváte, ukončete. Skončí okamžitě.',
    en: 'Sign out any session that you do not recognise. It ends at once.',
  },
  session_browser: { cs: 'Prohlížeč', en: 'Browser' },
  session_unknown: { cs: 'neznámý prohlížeč', en: 'unknown browser' },
  session_this: { cs: 'toto zařízení', en: 'this device' },
  session_end: { cs: 'Odhlásit', en: 'Sign out' },
  session_ended: { cs: 'Odhlášeno.', en: 'Signed out.' },
  sessions_end_others: { cs: 'Odhlásit všude jinde', en: 'Sign out everywhere else' },
  last_seen: { cs: 'Naposledy', en: 'Last seen' },
  // Notices
  notices: { cs: 'Oznámení', en: 'Notices' },
  notices_unread: { cs: 'nepřečtených: {count}', en: '{count} unread' },
  notices_none: { cs: 'Zatím nemáte žádná oznámení.', en: 'You have no notices yet.' },
  notices_read: { cs: 'Označit vše jako přečtené', en: 'Mark all as read' },
  notice_new: { cs: 'nové', en: 'new' },
  pages: { cs: 'Stránky', en: 'Pages' },
  // Tab “For developers”
  tokens_title: { cs: 'Přístupové tokeny', en: 'Access tokens' },
  tokens_premium_until: {
    cs: 'Premium máte do {time}. Potom API na vaše tokeny odpovídá chybou 403 premium_required, dokud Premium neprodloužíte.',
    en: 'Your Premium lasts until {time}. After that the API answers your tokens with 403 premium_required until Premium is renewed.',
  },
  tokens_premium_always: { cs: 'Premium máte bez časového omezení.', en: 'Your Premium does not end.' },
  tokens_why_not: {
    cs: 'Tokeny mohou vytvářet účty s Premium, ověřené účty a správci. Váš účet zatím mezi ně nepatří. O Premium si napište provozovateli této služby.',
    en: 'Tokens are available to Premium accounts, verified accounts and admins. Your account is none of these yet. To get Premium, contact the operator of this service.',
  },
  tokens_none: { cs: 'Zatím žádné tokeny.', en: 'No tokens yet.' },
  tokens_full: {
    cs: 'Účet má nejvýše {max} tokenů. Nejprve některý zrušte.',
    en: 'An account has at most {max} tokens. Revoke one first.',
  },
  token_new: { cs: 'Nový token', en: 'New token' },
  token_name: { cs: 'Název', en: 'Name' },
  token_name_hint: {
    cs: 'Podle něj token poznáte, třeba název aplikace.',
    en: 'Something you will recognise, such as the name of the app.',
  },
  token_access: { cs: 'Přístup', en: 'Access' },
  access_read: { cs: 'jen čtení', en: 'read' },
  access_write: { cs: 'čtení a zápis', en: 'read + write' },
  access_legacy: { cs: 'plný (starší token)', en: 'full (older token)' },
  token_expires: { cs: 'nebo do vybraného data', en: 'or on a date of your choice' },
  token_create: { cs: 'Vytvořit token', en: 'Create token' },
  token_once: {
    cs: 'Token vidíte jen teď. Uložte si ho.',
    en: 'This is the only time the token is shown. Store it safely.',
  },
  token_try: { cs: 'Vyzkoušejte ho', en: 'Try it' },
  token_send: { cs: 'Poslat první požadavek', en: 'Send a first request' },
  token_send_failed: {
    cs: 'Server neodpověděl. Zkuste to prosím znovu.',
    en: 'The server did not answer. Please try again.',
  },
  token_answer: { cs: 'Odpověď', en: 'Response' },
  copy: { cs: 'Kopírovat', en: 'Copy' },
  copied: { cs: 'Zkopírováno', en: 'Copied' },
  last_used: { cs: 'Naposledy', en: 'Last used' },
  never: { cs: 'nikdy', en: 'never' },
  expires: { cs: 'Platí do', en: 'Expires' },
  no_expiry: { cs: 'bez omezení', en: 'no expiry' },
  revoke: { cs: 'Zrušit', en: 'Revoke' },
  revoke_title: { cs: 'Zrušit token?', en: 'Revoke this token?' },
  revoke_text: {
    cs: 'Aplikace, které ho používají, ztratí přístup hned a natrvalo.',
    en: 'Apps that use it lose access immediately and permanently.',
  },
  back: { cs: 'Zpět', en: 'Back' },
  token_form_over: {
    cs: 'Tento formulář už token vytvořil, nebo je starší než jeden den. Vyplňte ho prosím znovu.',
    en: 'This form has already created a token or is older than a day. Please fill it in again.',
  },
  token_expires_in: { cs: 'Platnost', en: 'Expires after' },
  days: { cs: '{count} {count|den|dny|dní}', en: '{count} {count|day|days}' },
  revoked: { cs: 'Token je zrušený.', en: 'The token has been revoked.' },
  // Public pages
  when: { cs: 'Kdy', en: 'When' },
  where: { cs: 'Kde', en: 'Where' },
  picture: { cs: 'Obrázek {number}', en: 'Picture {number}' },
  organizer: { cs: 'Pořádá', en: 'Organizer' },
  people: { cs: 'Lidé', en: 'People' },
  price: { cs: 'Cena', en: 'Price' },
  tickets: { cs: 'Vstupenky', en: 'Tickets' },
  calendar: { cs: 'Přidat do kalendáře', en: 'Add to calendar' },
  calendar_file: { cs: 'Soubor .ics', en: '.ics file' },
  google_calendar: { cs: 'Kalendář Google', en: 'Google Calendar' },
  own_calendar: { cs: 'Moje akce v kalendáři', en: 'My events in your calendar' },
  own_calendar_text: {
    cs: 'Akce, které pořádáte nebo na které jdete, se v kalendáři samy aktualizují. Kdo zná tuto adresu, uvidí je také, proto ji nikomu neposílejte.',
    en: 'Events that you organize or attend stay up to date in your calendar. Anyone who has this address can see them, so keep it to yourself.',
  },
  own_calendar_address: { cs: 'Tajná adresa kalendáře', en: 'Secret calendar address' },
  own_calendar_renew: { cs: 'Vytvořit novou adresu', en: 'Create a new address' },
  own_calendar_renew_hint: {
    cs: 'Dosavadní adresa hned přestane fungovat.',
    en: 'The current address stops working at once.',
  },
  own_calendar_renewed: {
    cs: 'Kalendář má novou adresu. Přidejte si ji do svých aplikací.',
    en: 'Your calendar has a new address. Add it to your apps.',
  },
  cancelled: { cs: 'zrušeno', en: 'cancelled' },
  plan: { cs: 'Program', en: 'Itinerary' },
  minutes: { cs: '{count} {count|minuta|minuty|minut}', en: '{count} {count|minute|minutes}' },
  members: { cs: '{count} {count|člen|členové|členů}', en: '{count} {count|member|members}' },
  founder: { cs: 'Zakladatel', en: 'Founded by' },
  group_member: { cs: 'Jste členem této skupiny.', en: 'You are a member of this group.' },
  group_requested: { cs: 'Žádost o členství čeká na schválení.', en: 'Your request is waiting for approval.' },
  map_link: { cs: 'Otevřít v mapách', en: 'Open in maps' },
  source: { cs: 'Zdroj', en: 'Source' },
  about_event: { cs: 'K akci', en: 'About the event' },
  profile_link: { cs: 'Váš profil, jak ho vidí ostatní', en: 'Your profile as others see it' },
  draft: { cs: 'Koncept, vidíte ho jen vy', en: 'Draft, visible only to you' },
  published: { cs: 'Zveřejněno', en: 'Published' },
} as const satisfies Record<string, Record<Locale, string>>;

export type TextKey = keyof typeof TEXTS;

/** The Czech texts with no-break spaces. */
const CZECH_TEXTS = Object.fromEntries(
  Object.entries(TEXTS).map(([key, { cs }]) => [key, withoutBadBreaks(cs, 'cs')]),
) as Readonly<Record<TextKey, string>>;

export function hasText(key: string): key is TextKey {
  return Object.hasOwn(TEXTS, key);
}

/** Returns a text in the page's language. Numbers among the values are formatted for this language. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

const NUMBER_FORMATS = {
  cs: new Intl.NumberFormat(LANGUAGE_TAGS.cs),
  en: new Intl.NumberFormat(LANGUAGE_TAGS.en),
} as const satisfies Record<Locale, Intl.NumberFormat>;

export function numberText(value: number, locale: Locale): string {
  return NUMBER_FORMATS[locale].format(value);
}

/** A whole amount is written without decimals, any other amount with at least two. In Czech: "1 000", "1 249,50". */
export function amountText(amount: number, locale: Locale): string {
  const minimumFractionDigits = Number.isInteger(amount) ? 0 : 2;
  return new Intl.NumberFormat(LANGUAGE_TAGS[locale], { minimumFractionDigits }).format(amount);
}

export function translator(locale: Locale): Translate {
  const textOf = (value: string | number): string => (typeof value === 'number' ? numberText(value, locale) : value);
  return (key, values = {}) =>
    (locale === 'cs' ? CZECH_TEXTS[key] : TEXTS[key][locale]).replace(
      /\{(\w+)(?:\|([^}]*))?\}/g,
      (whole, name: string, words: string | undefined) => {
        const value = values[name] ?? whole;
        return words === undefined ? textOf(value) : wordFor(Number(value), words.split('|'), locale);
      },
    );
}
