/** Texts that all forms share, texts of the pages for an expired session, and texts of the page with the status 403. */
export const FORM_TEXTS = {
  form_conflict: {
    cs: 'Mezitím se to změnilo. Původně: {before}. Teď: {now}.',
    en: 'This has changed in the meantime. It was: {before}. It is now: {now}.',
  },
  form_conflict_hint: {
    cs: 'Co jste napsali, zůstalo vyplněné. Když formulář odešlete znovu, uloží se vaše hodnoty.',
    en: 'What you typed is still filled in. If you send the form again, your values are saved.',
  },
  form_check: { cs: 'Zkontrolujte prosím tyto údaje:', en: 'Please check these fields:' },
  form_nothing: { cs: 'nevyplněno', en: 'empty' },
  form_yes: { cs: 'ano', en: 'yes' },
  form_no: { cs: 'ne', en: 'no' },
  form_files_again: {
    cs: 'Soubory je potřeba vybrat znovu, prohlížeč je nemůže vyplnit za vás.',
    en: 'Please choose the files again: the browser cannot fill them in for you.',
  },
  form_sent_before: {
    cs: 'Tenhle formulář už jste odeslali. Tady je, co z něj vzniklo; pozdější úpravy se neuložily.',
    en: 'You had already sent this form. This is what it created; later changes to the form were not saved.',
  },
  expired: { cs: 'Přihlášení mezitím vypršelo', en: 'You have been signed out' },
  expired_kept: { cs: 'Nic z toho, co jste napsali, se neztratilo.', en: 'Nothing that you typed is lost.' },
  expired_text: {
    cs: 'Přihlaste se ke stejnému účtu a formulář pak jedním stisknutím odešlete.',
    en: 'Sign in to the same account, then press the button to send the form.',
  },
  expired_typed: { cs: 'Co jste napsali', en: 'What you typed' },
  expired_form: { cs: 'Váš formulář', en: 'Your form' },
  expired_window: { cs: 'Přihlásit se v novém okně', en: 'Sign in in a new window' },
  expired_window_hint: {
    cs: 'Přihlašujete se přístupovým klíčem? Přihlaste se v novém okně, vraťte se sem a formulář odešlete.',
    en: 'Do you sign in with a passkey? Sign in in a new window, come back here and send the form.',
  },
  expired_signed_in: { cs: 'Jste zase přihlášeni', en: 'You are signed in again' },
  expired_send_text: {
    cs: 'Formulář ještě nebyl odeslán. Odešlete ho tlačítkem.',
    en: 'The form has not been sent yet. Press the button to send it.',
  },
  form_send: { cs: 'Odeslat', en: 'Send' },
  form_back: { cs: 'Zpět bez odeslání', en: 'Back without sending' },
  forbidden_text: {
    cs: 'Tohle smí jen pořadatel akce, zakladatel skupiny nebo ten, komu to patří.',
    en: 'Only the organizer of the event, the founder of the group or the owner may do this.',
  },
  forbidden_banned_text: {
    cs: 'Pořadatel vám zakázal účast na této akci.',
    en: 'The organizer has banned you from this event.',
  },
  back_to_event: { cs: 'Zpět na akci', en: 'Back to the event' },
  back_to_group: { cs: 'Zpět na skupinu', en: 'Back to the group' },
  forbidden: { cs: 'Sem nemáte přístup', en: 'You cannot open this page' },
} as const;
