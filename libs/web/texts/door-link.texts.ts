/** Texts of door links. With a door link, a helper without an account can check in guests. */
export const DOOR_LINK_TEXTS = {
  door_links_title: { cs: 'Odkazy pro vstup', en: 'Door links' },
  door_links_text: {
    cs: 'Kdo má odkaz, může u vchodu odbavovat hosty, i když sám nemá účet. Nic jiného mu odkaz nedovolí.',
    en: 'Anyone with a link can check in guests at the door, even without an account. The link allows nothing else.',
  },
  door_links_living: { cs: 'Platné odkazy', en: 'Active links' },
  door_link_name: { cs: 'Pro koho nebo kam', en: 'Helper or gate' },
  door_link_name_hint: {
    cs: 'Třeba „Hlavní vchod“. Uvidíte ho u hostů odbavených tímto odkazem.',
    en: 'For example “Main gate”. It is shown beside the guests who were checked in with the link.',
  },
  door_link_create: { cs: 'Vytvořit odkaz', en: 'Create a link' },
  door_link_too_late: {
    cs: 'Odkaz můžete vytvořit nejpozději 12 hodin po konci akce.',
    en: 'You can create a link until 12 hours after the end of the event.',
  },
  door_link_created: { cs: 'Odkaz „{name}“ je hotový.', en: 'The link “{name}” is ready.' },
  door_link_fresh: { cs: 'Odkaz pro pomocníka', en: 'The link for your helper' },
  door_link_once: {
    cs: 'Zkopírujte ho nebo ho nechte vyfotit teď. Znovu ho už neukážeme.',
    en: 'Copy it, or let your helper scan it now. It is not shown again.',
  },
  door_link_picture: { cs: 'QR kód s odkazem', en: 'QR code of the link' },
  door_link_open: { cs: 'Otevřít', en: 'Open' },
  door_link_until: { cs: 'platí do {time}', en: 'valid until {time}' },
  door_link_used: { cs: 'naposledy použitý {time}', en: 'last used {time}' },
  door_link_unused: { cs: 'zatím nepoužitý', en: 'not used yet' },
  door_link_end: { cs: 'Ukončit', en: 'End' },
  door_link_do_end: { cs: 'Ano, ukončit odkaz', en: 'Yes, end the link' },
  door_link_removed: { cs: 'Odkaz už neplatí.', en: 'The link no longer works.' },
} as const;
