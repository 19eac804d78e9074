/** Texts of the pages about apps: consent, devices, connected apps, and a developer's own apps. */
export const APP_TEXTS = {
  kind_app_connected: { cs: 'nově připojená aplikace', en: 'a newly connected app' },
  apps_tab: { cs: 'Aplikace', en: 'Apps' },
  // Consent
  consent_title: { cs: 'Připojit aplikaci {app}?', en: 'Connect the app {app}?' },
  consent_asks: {
    cs: 'Aplikace {app} žádá o přístup k vašemu účtu.',
    en: 'The app {app} asks for access to your account.',
  },
  consent_account: { cs: 'Váš účet', en: 'Your account' },
  consent_homepage: { cs: 'Web aplikace', en: 'Website of the app' },
  consent_may: { cs: 'Aplikace bude moci', en: 'The app will be able to' },
  consent_target: { cs: 'Vaši odpověď dostane', en: 'Your answer is sent to' },
  consent_target_site: { cs: 'web {host}', en: 'the site {host}' },
  consent_target_computer: { cs: 'program na tomto počítači', en: 'a program on this computer' },
  consent_target_scheme: {
    cs: 'program na tomto zařízení se schématem {scheme}',
    en: 'a program on this device with the scheme {scheme}',
  },
  consent_document: { cs: 'Zdroj popisu aplikace', en: 'Source of the app’s description' },
  consent_unchecked: {
    cs: 'Název a obrázek zvolil vývojář aplikace, nikdo je neověřil. Povolte jen to, co jste sami začali.',
    en: 'The developer of the app chose its name and picture; nobody has verified them. Allow only what you have started yourself.',
  },
  consent_later: {
    cs: 'Aplikaci můžete kdykoli odpojit na stránce Aplikace.',
    en: 'You can disconnect the app at any time on the page Apps.',
  },
  consent_allow: { cs: 'Povolit', en: 'Allow' },
  consent_deny: { cs: 'Odmítnout', en: 'Deny' },
  consent_refused: {
    cs: 'Připojovat aplikace mohou účty s Premium, ověřené účty a správci. Váš účet mezi ně zatím nepatří, takže aplikace přístup nedostala.',
    en: 'Premium accounts, verified accounts and admins can connect apps. Your account is none of these yet, so the app did not get access.',
  },
  consent_return: { cs: 'Odmítnout a vrátit se do aplikace', en: 'Deny and return to the app' },
  consent_over: { cs: 'Žádost už neplatí', en: 'This request is no longer valid' },
  consent_over_text: {
    cs: 'Na žádost jste už odpověděli, nebo vypršela. Vraťte se do aplikace a začněte znovu.',
    en: 'You have answered this request, or it has expired. Go back to the app and start again.',
  },
  // Devices
  device_title: { cs: 'Připojit zařízení', en: 'Connect a device' },
  device_text: {
    cs: 'Opište kód, který ukazuje vaše zařízení nebo program.',
    en: 'Enter the code that your device or program shows.',
  },
  device_code: { cs: 'Kód', en: 'Code' },
  device_code_hint: { cs: 'Osm písmen, například BCDF-GHJK.', en: 'Eight letters, for example BCDF-GHJK.' },
  device_continue: { cs: 'Pokračovat', en: 'Continue' },
  device_wrong: {
    cs: 'Tento kód neznáme, už vypršel, nebo byl použit. Zkontrolujte ho, případně začněte na zařízení znovu.',
    en: 'This code is unknown, has expired or was already used. Check it, or start again on the device.',
  },
  device_compare: {
    cs: 'Zařízení musí ukazovat přesně tento kód. Jinak žádost odmítněte.',
    en: 'The device must show exactly this code. Otherwise deny the request.',
  },
  device_asked_at: { cs: 'Požádala o přístup', en: 'Asked for access' },
  device_allowed: { cs: 'Zařízení je připojené', en: 'The device is connected' },
  device_allowed_text: {
    cs: 'Aplikace {app} má přístup. Můžete se vrátit k zařízení.',
    en: 'The app {app} has access. You can go back to the device.',
  },
  device_denied: { cs: 'Žádost je odmítnutá', en: 'The request is denied' },
  device_denied_text: {
    cs: 'Aplikace {app} přístup nedostala. Tuto stránku můžete zavřít.',
    en: 'The app {app} did not get access. You can close this page.',
  },
  // Connected apps
  apps_text: {
    cs: 'Tyto aplikace mohou jednat za váš účet. Po odpojení jejich přístup hned skončí.',
    en: 'These apps can act for your account. When you disconnect one, its access ends at once.',
  },
  apps_none: { cs: 'Zatím žádná připojená aplikace.', en: 'No connected apps yet.' },
  apps_since: { cs: 'Připojená', en: 'Connected' },
  apps_last_used: { cs: 'naposledy použitá', en: 'last used' },
  apps_suspended: { cs: 'pozastavená provozovatelem', en: 'suspended by the operator' },
  apps_disconnect: { cs: 'Odpojit', en: 'Disconnect' },
  apps_disconnect_all: { cs: 'Odpojit všechny aplikace', en: 'Disconnect all apps' },
  apps_disconnected: { cs: 'Aplikace je odpojená.', en: 'The app is disconnected.' },
  apps_all_disconnected: { cs: 'Všechny aplikace jsou odpojené.', en: 'All apps are disconnected.' },
  apps_after_password: {
    cs: 'Připojené aplikace ({count}) mají přístup i po změně hesla.',
    en: 'Connected apps ({count}) still have access after you set a new password.',
  },
  apps_own_link: { cs: 'Vlastní aplikace pro vývojáře', en: 'Your own apps, for developers' },
  // A developer's own apps
  own_apps_title: { cs: 'Vlastní aplikace', en: 'Your own apps' },
  own_apps_text: {
    cs: 'Aplikace, které tu zaregistrujete, mohou žádat lidi o přístup k jejich účtům.',
    en: 'Apps that you register here can ask people for access to their accounts.',
  },
  own_apps_none: { cs: 'Zatím žádná vlastní aplikace.', en: 'No apps of your own yet.' },
  own_apps_new: { cs: 'Nová aplikace', en: 'New app' },
  own_apps_full: {
    cs: 'Aplikací může být nejvýš {max}. Nejprve některou smažte.',
    en: 'You can have at most {max} apps. Delete one first.',
  },
  app_name: { cs: 'Název', en: 'Name' },
  app_homepage: { cs: 'Web aplikace', en: 'Website of the app' },
  app_icon: { cs: 'Obrázek (nejvýš 1 MB)', en: 'Icon (at most 1 MB)' },
  app_icon_send: { cs: 'Uložit obrázek', en: 'Save icon' },
  app_redirect_uris: { cs: 'Adresy pro návrat', en: 'Redirect addresses' },
  app_redirect_uris_hint: {
    cs: 'Každá na jeden řádek: https, http s 127.0.0.1, [::1] nebo localhost, nebo vlastní schéma s tečkou.',
    en: 'One per line: https, http with 127.0.0.1, [::1] or localhost, or a scheme of your own that contains a dot.',
  },
  app_type: { cs: 'Druh', en: 'Type' },
  app_type_confidential: { cs: 'se serverem (důvěrná)', en: 'with a server (confidential)' },
  app_type_public: { cs: 'bez serveru (veřejná)', en: 'without a server (public)' },
  app_create: { cs: 'Zaregistrovat aplikaci', en: 'Register app' },
  app_client_id: { cs: 'Identifikátor (client_id)', en: 'Client id (client_id)' },
  app_secret_once: {
    cs: 'Tajemství aplikace. Uložte si ho, znovu ho neukážeme.',
    en: 'The secret of the app. Store it now: it is not shown again.',
  },
  app_created: { cs: 'Aplikace je zaregistrovaná.', en: 'The app has been registered.' },
  app_secret_rotated: { cs: 'Aplikace má nové tajemství.', en: 'The app has a new secret.' },
  app_secret_rotate: { cs: 'Vydat nové tajemství', en: 'Issue a new secret' },
  app_secret_hint: {
    cs: 'Dosavadní tajemství pak platí ještě 24 hodin.',
    en: 'The current secret then works for another 24 hours.',
  },
  app_secret_former: { cs: 'Předchozí tajemství platí do {time}.', en: 'The previous secret works until {time}.' },
  app_edit: { cs: 'Upravit aplikaci', en: 'Edit app' },
  app_delete: { cs: 'Smazat aplikaci', en: 'Delete app' },
  app_delete_text: {
    cs: 'Všem, kdo aplikaci připojili, přestane hned fungovat. Smazání nelze vrátit.',
    en: 'The app stops working at once for everybody who has connected it. This cannot be undone.',
  },
  app_deleted: { cs: 'Aplikace je smazaná.', en: 'The app is deleted.' },
  app_is_suspended: {
    cs: 'Provozovatel aplikaci pozastavil: její tokeny, webhooky a odkazy pro vstup nefungují a nové tokeny nedostane.',
    en: 'The operator has suspended this app: its tokens, webhooks and door links do not work, and it gets no new tokens.',
  },
} as const;
