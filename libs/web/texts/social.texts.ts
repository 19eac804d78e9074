import type { Locale } from '#contract/vocabulary';

/**
 * Texts for blocks, for the reports that the reader has sent, for comments and photos, and for the links to an event's
 * itinerary and expenses.
 */
export const SOCIAL_TEXTS = {
  // Blocks
  blocks_tab: { cs: 'Zablokovaní lidé', en: 'Blocked people' },
  blocks_text: {
    cs: 'Zablokovaní lidé se o tom nedozvědí. Nemohou se přidat na vaše akce ani vás nikam pozvat a v Pulsu se navzájem neuvidíte.',
    en: 'People whom you block are not notified. They cannot join your events or invite you, and neither of you sees the other’s Puls posts.',
  },
  blocks_none: { cs: 'Nikoho neblokujete.', en: 'You have not blocked anyone.' },
  blocked_since: { cs: 'od {time}', en: 'since {time}' },
  person_gone: { cs: 'Smazaný účet', en: 'Deleted account' },
  person_block: { cs: 'Zablokovat', en: 'Block' },
  person_block_of: { cs: 'Zablokovat: {name}', en: 'Block {name}' },
  person_block_do: { cs: 'Ano, zablokovat', en: 'Yes, block' },
  person_blocked: { cs: 'Zablokováno: {name}', en: '{name} is now blocked.' },
  person_unblock: { cs: 'Odblokovat', en: 'Unblock' },
  person_unblock_of: { cs: 'Odblokovat: {name}', en: 'Unblock {name}' },
  person_unblocked: { cs: 'Odblokováno: {name}', en: '{name} is no longer blocked.' },
  person_is_blocked: { cs: 'Tohoto člověka blokujete.', en: 'You block this person.' },
  // Own reports
  reports_tab: { cs: 'Nahlášení', en: 'Reports' },
  reports_none: { cs: 'Nic jste nenahlásili.', en: 'You have not reported anything.' },
  report_outcome_open: { cs: 'čeká na rozhodnutí', en: 'waiting for a decision' },
  report_outcome_dismissed: { cs: 'nic jsme nezměnili', en: 'nothing was changed' },
  report_outcome_removed: { cs: 'odstraněno', en: 'removed' },
  report_outcome_warned: { cs: 'autor dostal varování', en: 'the author was warned' },
  report_outcome_banned: { cs: 'účet je zablokovaný', en: 'the account is banned' },
  // Comments
  comment_body: { cs: 'Komentář', en: 'Comment' },
  comment_image: { cs: 'Obrázek', en: 'Picture' },
  comment_send: { cs: 'Odeslat', en: 'Send' },
  comment_reply: { cs: 'Odpovědět', en: 'Reply' },
  comment_reply_to: { cs: 'Odpovědět: {name}', en: 'Reply to {name}' },
  comment_reply_send: { cs: 'Odeslat odpověď', en: 'Send the reply' },
  comment_added: { cs: 'Komentář je přidaný.', en: 'Your comment has been added.' },
  comment_gone: { cs: 'Text byl smazán spolu s účtem.', en: 'The text was erased together with the account.' },
  comment_delete: { cs: 'Smazat', en: 'Delete' },
  comment_delete_of: { cs: 'Smazat komentář: {name}', en: 'Delete the comment by {name}' },
  comment_delete_do: { cs: 'Ano, smazat', en: 'Yes, delete' },
  comment_deleted: { cs: 'Komentář je smazaný.', en: 'The comment has been deleted.' },
  comment_sign_in: { cs: 'Přihlásit se a napsat komentář', en: 'Sign in to comment' },
  // Photos
  photos_add: { cs: 'Přidat fotky', en: 'Add photos' },
  photos_hint: {
    cs: 'Nejvýše {max} fotek na člověka, každá do 15 MB. Přidáno: {mine}.',
    en: 'At most {max} photos per person, each up to 15 MB. You have added {mine}.',
  },
  photos_send: { cs: 'Nahrát fotky', en: 'Upload the photos' },
  photos_added: { cs: 'Fotky jsou přidané.', en: 'Your photos have been added.' },
  photo_delete: { cs: 'Smazat fotku', en: 'Delete the photo' },
  photo_delete_of: { cs: 'Smazat fotku {number}', en: 'Delete photo {number}' },
  photo_deleted: { cs: 'Fotka je smazaná.', en: 'The photo has been deleted.' },
  // Itinerary and expenses
  plan_edit: { cs: 'Upravit program', en: 'Edit itinerary' },
  plan_new: { cs: 'Přidat program', en: 'Add itinerary' },
  expenses: { cs: 'Výdaje a vyrovnání', en: 'Expenses' },
} as const satisfies Record<string, Record<Locale, string>>;
