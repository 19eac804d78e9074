/** What the pages say at the door. */
export const DOOR_TEXTS = {
  my_code: { cs: 'Váš kód ke vstupu', en: 'Your code for the door' },
  my_code_picture: { cs: 'QR kód ke vstupu: {code}', en: 'QR code for the door: {code}' },
  my_code_hint: { cs: 'Ukažte ho u vchodu. Nikomu jinému ho neposílejte.', en: 'Show it at the door. Send it to nobody else.' },
  door: { cs: 'U vchodu', en: 'At the door' },
  print_tickets: { cs: 'Vstupenky k tisku (PDF)', en: 'Tickets to print (PDF)' },
  ticket_hint: { cs: 'Kód zadejte při přihlášení na akci.', en: 'Enter the code when you join the event.' },
  ticket_used: { cs: 'Použitá vstupenka', en: 'Used ticket' },
} as const;
