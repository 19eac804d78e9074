/** Texts about personal data. */
export const OWN_DATA_TEXTS = {
  data_tab: { cs: 'Moje data', en: 'My data' },
  data_title: { cs: 'Moje data', en: 'My data' },
  data_export: { cs: 'Stáhnout vše o mně', en: 'Download everything about me' },
  data_export_text: {
    cs: 'Jeden archiv ZIP se vším, co o vás služba má, i se soubory. Připravuje se na pozadí a je tu pak 7 dní jen pro vás.',
    en: 'One ZIP archive with everything the service stores about you, including files. It is prepared in the background and then stays here for 7 days, visible only to you.',
  },
  data_export_ask: { cs: 'Připravit archiv', en: 'Prepare the archive' },
  data_export_again: { cs: 'Připravit nový archiv', en: 'Prepare a new archive' },
  data_export_pending: {
    cs: 'Archiv se připravuje: hotovo {done}/{total}.',
    en: 'Preparing the archive: {done} of {total} done.',
  },
  data_export_waiting: {
    cs: 'Archiv se začne připravovat během minuty.',
    en: 'Preparation will start within a minute.',
  },
  data_export_failed: {
    cs: 'Archiv se nepodařilo připravit. Zkuste to znovu.',
    en: 'The archive could not be prepared. Please try again.',
  },
  data_export_ready: { cs: 'Archiv je připravený do {until}.', en: 'The archive is available until {until}.' },
  data_export_get: { cs: 'Stáhnout ZIP ({size})', en: 'Download the ZIP ({size})' },
  data_look: { cs: 'Zobrazit průběh', en: 'Check progress' },
  data_erase: { cs: 'Smazat účet', en: 'Delete the account' },
  data_erase_text: {
    cs: 'Účet zmizí za 14 dní; do té doby si to můžete rozmyslet. Nadcházející akce, které pořádáte, se zruší a zaplacené kredity se vrátí. Co potřebují ostatní (místa na minulých akcích, vyúčtování, odpovědi pod komentáři), zůstane beze jména. Smazaný účet nejde vrátit.',
    en: 'Your account will be deleted in 14 days; until then you can change your mind. Upcoming events that you organize will be cancelled, and credits paid for them will be refunded. What others need (seats at past events, shared expenses, replies to comments) stays, without your name. A deleted account cannot be restored.',
  },
  data_erase_ask: { cs: 'Smazat účet za 14 dní', en: 'Delete the account in 14 days' },
  data_erase_due: { cs: 'Váš účet bude smazán {due}.', en: 'Your account will be deleted on {due}.' },
  data_erase_keep: { cs: 'Účet si nechat', en: 'Keep the account' },
  data_kept: { cs: 'Účet zůstává.', en: 'Your account stays.' },
  data_asked: {
    cs: 'Váš účet bude smazán {due}. Do té doby si to můžete rozmyslet. Na ostatních zařízeních jste odhlášeni.',
    en: 'Your account will be deleted on {due}. You can change your mind until then. Other devices are signed out.',
  },
} as const;
