/** Texts about push messages to browsers, on /account/notices. */
export const PUSH_TEXTS = {
  push_title: { cs: 'Oznámení v prohlížeči', en: 'Notifications in your browser' },
  push_text: {
    cs: 'Oznámení se ukáže na tomto zařízení, i když tento web nemáte otevřený. Oznámení přestanou chodit, když se odhlásíte, ukončíte toto přihlášení nebo si změníte heslo.',
    en: 'A notification appears on this device even when this site is closed. Notifications stop when you sign out, end this session or change your password.',
  },
  push_subscribe: { cs: 'Zapnout v tomto prohlížeči', en: 'Turn on in this browser' },
  push_done: { cs: 'Oznámení v tomto prohlížeči jsou zapnutá.', en: 'Notifications are on in this browser.' },
  push_denied: {
    cs: 'Prohlížeč oznámení nepovolil. Povolte je v jeho nastavení a zkuste to znovu.',
    en: 'Your browser does not allow notifications. Allow them in its settings and try again.',
  },
  push_full: {
    cs: 'Oznámení mohou být zapnutá v nejvýš {max} prohlížečích. Nejprve některý odeberte.',
    en: 'Notifications can be on in at most {max} browsers. Remove one first.',
  },
  push_failed: {
    cs: 'Oznámení se nepodařilo zapnout. Zkuste to prosím znovu.',
    en: 'Notifications could not be turned on. Please try again.',
  },
  push_unsupported: {
    cs: 'Tento prohlížeč oznámení neumí, nebo má vypnuté skripty.',
    en: 'This browser does not support notifications, or scripts are turned off.',
  },
  push_since: { cs: 'Zapnuto', en: 'Turned on' },
  push_remove: { cs: 'Odebrat', en: 'Remove' },
  push_removed: { cs: 'Prohlížeč je odebraný.', en: 'The browser has been removed.' },
  channel_push: { cs: 'V prohlížeči', en: 'In the browser' },
} as const;
