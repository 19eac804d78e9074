/** Texts of the door page, where guests are checked in, and texts of codes and tickets. */
export const DOOR_TEXTS = {
  my_code: { cs: 'Váš kód ke vstupu', en: 'Your code for the door' },
  my_code_picture: { cs: 'QR kód ke vstupu: {code}', en: 'QR code for the door: {code}' },
  my_code_hint: {
    cs: 'Ukažte ho u vchodu. Nikomu jinému ho neposílejte.',
    en: 'Show it at the door. Do not send it to anyone.',
  },
  door: { cs: 'U vchodu', en: 'At the door' },
  print_tickets: { cs: 'Vstupenky k tisku (PDF)', en: 'Tickets to print (PDF)' },
  ticket_hint: { cs: 'Kód zadejte při přihlášení na akci.', en: 'Enter the code when you join the event.' },
  ticket_used: { cs: 'Použitá vstupenka', en: 'Used ticket' },
  door_needs_script: {
    cs: 'Ke čtení kódů je potřeba JavaScript. Seznam hostů je níže.',
    en: 'Scanning codes needs JavaScript. The guest list is below.',
  },
  door_start_camera: { cs: 'Číst kódy kamerou', en: 'Scan codes with the camera' },
  door_stop_camera: { cs: 'Vypnout kameru', en: 'Turn off the camera' },
  door_no_camera: {
    cs: 'Kameru nelze použít. Kód můžete opsat.',
    en: 'The camera is not available. You can type the code instead.',
  },
  door_no_reader: {
    cs: 'Čtečku kódů se nepodařilo načíst. Kód můžete opsat.',
    en: 'The code reader could not be loaded. You can type the code instead.',
  },
  door_code: { cs: 'Nebo kód opište', en: 'Or type the code' },
  door_check_in: { cs: 'Odbavit', en: 'Check in' },
  door_undo: { cs: 'Vzít zpět', en: 'Undo' },
  door_search: { cs: 'Hledat podle jména', en: 'Search by name' },
  door_expected: { cs: 'bez potvrzeného místa', en: 'without a confirmed seat' },
  door_count: { cs: 'Uvnitř {count} z {all}', en: 'Inside: {count} of {all}' },
  door_in: { cs: '{name} je uvnitř', en: '{name} is in' },
  door_already: { cs: '{name} už je uvnitř od {time}', en: '{name} has been in since {time}' },
  door_undone: { cs: '{name} není uvnitř', en: '{name} is not in' },
  door_no_place: { cs: '{name} nemá potvrzené místo', en: '{name} has no confirmed seat' },
  door_unknown: { cs: 'Tento kód na této akci nikdo nemá', en: 'Nobody at this event has this code' },
  door_cancelled: { cs: 'Akce je zrušená', en: 'The event is cancelled' },
  door_waiting_to_send: { cs: 'Čeká na odeslání: {count}', en: 'Waiting to be sent: {count}' },
  door_all_sent: { cs: 'Vše odesláno.', en: 'Everything has been sent.' },
  door_no_network: {
    cs: 'Bez spojení se serverem. Čtěte dál, odešle se to později.',
    en: 'No connection to the server. Keep scanning; scans are sent later.',
  },
  door_busy: {
    cs: 'Server má právě moc práce. Čtěte dál, odešle se to později.',
    en: 'The server is busy. Keep scanning; scans are sent later.',
  },
  door_gone: { cs: 'Tato akce už není dostupná.', en: 'This event is no longer available.' },
  door_signed_out: {
    cs: 'Přihlášení skončilo. Přihlaste se znovu, nic se neztratilo.',
    en: 'You have been signed out. Sign in again; nothing is lost.',
  },
  door_refused: {
    cs: 'Jeden záznam server odmítl: zkontrolujte hodiny telefonu.',
    en: 'One scan was refused. Check the clock on your phone.',
  },
  door_not_ready: { cs: 'Seznam lidí se nepodařilo načíst.', en: 'The list of people could not be loaded.' },
  door_ready: { cs: 'Připraveno, i bez sítě.', en: 'Ready, even without a network.' },
  door_link_ended: {
    cs: 'Tento odkaz už neplatí. Požádejte pořadatele o nový.',
    en: 'This link has ended. Ask the organizer for another one.',
  },
} as const;
