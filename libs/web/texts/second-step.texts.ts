/** Texts about the second step of signing in. */
export const SECOND_STEP_TEXTS = {
  second_step_tab: { cs: 'Druhý krok', en: 'Second step' },
  second_step_text: {
    cs: 'Při přihlášení se vás kromě hesla zeptáme na kód z aplikace nebo na přístupový klíč. Samotné heslo k přihlášení nestačí.',
    en: 'When you sign in, we ask for a code from an app or for a passkey as well as your password. A stolen password alone is not enough.',
  },
  second_step_on: { cs: 'Zapnuto. Jinde jste odhlášeni.', en: 'Turned on. You have been signed out everywhere else.' },
  second_step_off: { cs: 'Vypnuto.', en: 'Turned off.' },
  second_step_is_on: { cs: 'zapnuto', en: 'on' },
  second_step_is_off: { cs: 'vypnuto', en: 'off' },
  second_step_password: { cs: 'Vaše heslo', en: 'Your password' },
  // The app
  app_title: { cs: 'Aplikace s kódy', en: 'Authenticator app' },
  app_text: {
    cs: 'Třeba Aegis, Google Authenticator nebo správce hesel: každých 30 sekund ukáže nový kód o šesti číslicích.',
    en: 'For example Aegis, Google Authenticator or a password manager. It shows a new six-digit code every 30 seconds.',
  },
  app_begin: { cs: 'Nastavit aplikaci', en: 'Set up an app' },
  app_again: { cs: 'Začít znovu s jiným klíčem', en: 'Start again with a new key' },
  app_scan: {
    cs: 'Naskenujte obrázek aplikací, nebo do ní opište písmena pod ním. Pak sem napište kód, který aplikace ukazuje.',
    en: 'Scan the picture with the app, or type the letters below it into the app. Then enter the code that the app shows.',
  },
  app_qr: { cs: 'QR kód pro aplikaci', en: 'QR code for the app' },
  app_letters: { cs: 'Klíč pro aplikaci', en: 'Key for the app' },
  app_confirm: { cs: 'Zapnout', en: 'Turn on' },
  app_since: { cs: 'Zapnuto od', en: 'On since' },
  app_off: { cs: 'Vypnout aplikaci s kódy', en: 'Turn off the app' },
  app_off_text: { cs: 'Kódy z aplikace přestanou platit.', en: 'Codes from the app will stop working.' },
  // Passkeys
  passkeys_title: { cs: 'Přístupové klíče', en: 'Passkeys' },
  passkeys_text: {
    cs: 'Přístupový klíč použijete otiskem prstu, obličejem, PINem telefonu či počítače, nebo bezpečnostním klíčem. Přihlásíte se jím i bez hesla.',
    en: 'A passkey works with your fingerprint, your face, the PIN of your phone or computer, or a security key. With it, you can also sign in without a password.',
  },
  passkeys_none_here: {
    cs: 'Na této adrese služby prohlížeče přístupové klíče nepodporují: je potřeba https a jméno domény.',
    en: 'Browsers do not support passkeys at this address. Passkeys need https and a domain name.',
  },
  passkeys_full: { cs: 'Klíčů může být nejvýš {max}.', en: 'You can have at most {max} passkeys.' },
  passkey_name: { cs: 'Název klíče', en: 'Name of the passkey' },
  passkey_name_hint: {
    cs: 'Podle něj ho poznáte, třeba „můj telefon“.',
    en: 'Something you will recognise, such as “my phone”.',
  },
  passkey_add: { cs: 'Přidat přístupový klíč', en: 'Add a passkey' },
  passkey_made: { cs: 'Přidán', en: 'Added' },
  passkey_used: { cs: 'Použit', en: 'Used' },
  passkey_remove: { cs: 'Odebrat přístupový klíč', en: 'Remove a passkey' },
  passkey_remove_text: {
    cs: 'Tímto klíčem se už nepůjde přihlásit.',
    en: 'You will no longer be able to sign in with this passkey.',
  },
  passkey_remove_short: { cs: 'Odebrat', en: 'Remove' },
  passkey_sign_in: { cs: 'Přihlásit se přístupovým klíčem', en: 'Sign in with a passkey' },
  passkey_show: { cs: 'Použít přístupový klíč', en: 'Use a passkey' },
  passkey_failed: {
    cs: 'S přístupovým klíčem se to nepodařilo. Zkuste to znovu.',
    en: 'The passkey did not work. Please try again.',
  },
  passkey_needs_script: { cs: 'Přístupové klíče potřebují zapnutý JavaScript.', en: 'Passkeys need JavaScript.' },
  // Recovery codes
  recovery_title: { cs: 'Záchranné kódy', en: 'Recovery codes' },
  recovery_text: {
    cs: 'Když nemáte aplikaci ani klíč po ruce, pustí vás jeden ze záchranných kódů. Každý platí jen jednou.',
    en: 'If you have neither the app nor a passkey at hand, a recovery code lets you in. Each works once.',
  },
  recovery_left: { cs: 'Zbývá: {count}', en: 'Left: {count}' },
  recovery_once: { cs: 'Uložte si je teď. Znovu je neukážeme.', en: 'Save them now. They will not be shown again.' },
  recovery_renew: { cs: 'Vytvořit nové', en: 'Create new codes' },
  recovery_renew_hint: { cs: 'Dosavadní přestanou platit.', en: 'The current codes stop working.' },
  // Signing in
  step_title: { cs: 'Ještě druhý krok', en: 'One more step' },
  step_typed_kept: {
    cs: 'Co jste napsali, zůstává. Po přihlášení můžete formulář odeslat.',
    en: 'What you typed is kept. After signing in, you can send the form.',
  },
  step_text_app: {
    cs: 'Napište kód ze své aplikace, nebo záchranný kód.',
    en: 'Enter the code from your app, or a recovery code.',
  },
  step_text_codes: {
    cs: 'Použijte přístupový klíč, nebo napište záchranný kód.',
    en: 'Use your passkey, or enter a recovery code.',
  },
  step_code: { cs: 'Kód', en: 'Code' },
  step_go: { cs: 'Pokračovat', en: 'Continue' },
  step_wrong: { cs: 'Kód nesedí. Každý platí jen jednou.', en: 'Wrong code. Each code works only once.' },
  sign_in_again: {
    cs: 'Trvalo to příliš dlouho. Přihlaste se prosím znovu.',
    en: 'It took too long. Please sign in again.',
  },
} as const;
