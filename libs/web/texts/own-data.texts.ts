/** What the pages say of one's own data. */
export const OWN_DATA_TEXTS = {
  data_tab: { cs: 'Moje data', en: 'My data' },
  data_title: { cs: 'Moje data', en: 'My data' },
  data_export: { cs: 'Stáhnout vše o mně', en: 'Download everything about me' },
  data_export_text: {
    cs: 'Jeden archiv ZIP se vším, co o vás služba má, i se soubory. Připravuje se na pozadí a je tu pak 7 dní jen pro vás.',
    en: 'One ZIP archive with everything the service has about you, files too. It is made in the background and then stays here for 7 days, for you alone.',
  },
  data_export_ask: { cs: 'Připravit archiv', en: 'Make the archive' },
  data_export_again: { cs: 'Připravit nový archiv', en: 'Make a new archive' },
  data_export_pending: { cs: 'Archiv se připravuje: hotovo {done} z {total}.', en: 'The archive is being made: {done} of {total} are done.' },
  data_export_waiting: { cs: 'Archiv se začne připravovat během minuty.', en: 'The archive will be begun within a minute.' },
  data_export_failed: { cs: 'Archiv se nepodařilo připravit. Zkuste to znovu.', en: 'The archive could not be made. Try again.' },
  data_export_ready: { cs: 'Archiv je připravený do {until}.', en: 'The archive is ready until {until}.' },
  data_export_get: { cs: 'Stáhnout ZIP ({size})', en: 'Download the ZIP ({size})' },
  data_look: { cs: 'Zjistit, jak je to daleko', en: 'See how far it is' },
  data_erase: { cs: 'Smazat účet', en: 'Delete the account' },
  data_erase_text: {
    cs: 'Účet zmizí za 14 dní; do té doby si to můžete rozmyslet. Nadcházející akce, které pořádáte, se zruší a zaplacené kredity se vrátí. Co potřebují ostatní (místa na minulých akcích, vyúčtování, odpovědi pod komentáři), zůstane beze jména. Smazaný účet nejde vrátit.',
    en: 'The account goes in 14 days; until then you can think better of it. Coming events that you organize are cancelled and credits paid for them given back. What others need (places in past events, shared expenses, replies to comments) stays without your name. A deleted account cannot be brought back.',
  },
  data_erase_ask: { cs: 'Smazat účet za 14 dní', en: 'Delete the account in 14 days' },
  data_erase_due: { cs: 'Účet bude smazán {due}.', en: 'The account will be deleted on {due}.' },
  data_erase_keep: { cs: 'Účet si nechat', en: 'Keep the account' },
  data_kept: { cs: 'Účet zůstává.', en: 'The account stays.' },
  data_asked: { cs: 'Všude jinde jste odhlášeni.', en: 'Your other sessions have ended.' },
} as const;
