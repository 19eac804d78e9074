/** An error code's HTTP status and text for people. */
export interface RefusalEntry {
  readonly status: number;
  readonly en: string;
  readonly cs: string;
}

/**
 * Every error code of the API (WIRE-36), the generic codes first. Code and status never change. Texts may change, so
 * clients must not parse them.
 */
export const REFUSALS = {
  // Generic codes
  unauthenticated: {
    status: 401,
    en: 'A valid access token is required.',
    cs: 'Je potřeba platný přístupový token.',
  },
  forbidden: {
    status: 403,
    en: 'You are not allowed to do this.',
    cs: 'K tomuto nemáte oprávnění.',
  },
  not_found: {
    status: 404,
    en: 'Not found.',
    cs: 'Nenalezeno.',
  },
  method_not_allowed: {
    status: 405,
    en: 'This method is not allowed here.',
    cs: 'Tato metoda zde není povolena.',
  },
  request_timeout: {
    status: 408,
    en: 'The request did not arrive in time.',
    cs: 'Požadavek nedorazil včas.',
  },
  conflict: {
    status: 409,
    en: 'The current state does not allow this.',
    cs: 'Současný stav to nedovoluje.',
  },
  precondition_failed: {
    status: 412,
    en: 'This has been changed since you read it.',
    cs: 'Mezitím se to změnilo.',
  },
  cursor_expired: {
    status: 410,
    en: 'This cursor has expired. Read everything again, and start without a cursor.',
    cs: 'Platnost tohoto kurzoru vypršela. Načtěte vše znovu a začněte bez kurzoru.',
  },
  payload_too_large: {
    status: 413,
    en: 'The request is too large.',
    cs: 'Požadavek je příliš velký.',
  },
  request_in_progress: {
    status: 409,
    en: 'The same request is still being processed. Please try again in a moment.',
    cs: 'Stejný požadavek se ještě zpracovává. Zkuste to prosím za chvíli.',
  },
  idempotency_key_reused: {
    status: 422,
    en: 'This Idempotency-Key was used for another request.',
    cs: 'Tento Idempotency-Key byl použit pro jiný požadavek.',
  },
  validation_failed: {
    status: 422,
    en: 'Some of the values are not valid.',
    cs: 'Některé hodnoty nejsou platné.',
  },
  bad_request: {
    status: 400,
    en: 'This is not an HTTP request.',
    cs: 'Toto není požadavek HTTP.',
  },
  headers_too_large: {
    status: 431,
    en: 'The headers of the request are too large.',
    cs: 'Hlavičky požadavku jsou příliš velké.',
  },
  too_many_requests: {
    status: 429,
    en: 'Too many requests. Please try again later.',
    cs: 'Příliš mnoho požadavků. Zkuste to prosím později.',
  },
  server_error: {
    status: 500,
    en: 'Something went wrong on our side.',
    cs: 'Na naší straně se něco pokazilo.',
  },

  // Account and token
  premium_required: {
    status: 403,
    en: 'The API is available to Premium and verified accounts only.',
    cs: 'API je dostupné jen účtům s Premium a ověřeným účtům.',
  },
  insufficient_scope: {
    status: 403,
    en: 'This token does not allow that.',
    cs: 'To tento token neumožňuje.',
  },
  banned: {
    status: 403,
    en: 'You have been banned.',
    cs: 'Máte zakázaný přístup.',
  },

  // Events
  daily_event_limit: {
    status: 429,
    en: 'You have reached today’s limit of new events. Please try again tomorrow.',
    cs: 'Pro dnešek jste vyčerpali limit nových akcí. Zkuste to prosím zítra.',
  },

  daily_message_limit: {
    status: 429,
    en: 'You have reached today’s limit of messages to the people of this event. Please try again tomorrow.',
    cs: 'Dnes už lidem této akce další zprávu poslat nejde. Zkuste to prosím zítra.',
  },

  // Joining and participants
  paid_ticket_unsupported: {
    status: 422,
    en: 'Events with a price in credits cannot be joined yet.',
    cs: 'K akcím s cenou v kreditech se zatím nelze připojit.',
  },
  wrong_password: {
    status: 422,
    en: 'The password is missing or wrong.',
    cs: 'Heslo chybí nebo není správné.',
  },
  invalid_ticket_code: {
    status: 422,
    en: 'The ticket code is missing, unknown or already used.',
    cs: 'Kód vstupenky chybí, neexistuje nebo už byl použit.',
  },
  event_full: {
    status: 409,
    en: 'The event is full.',
    cs: 'Akce je plně obsazená.',
  },
  cannot_join: {
    status: 409,
    en: 'You cannot join this event.',
    cs: 'K této akci se nemůžete přidat.',
  },
  already_participant: {
    status: 409,
    en: 'Already taking part in this event.',
    cs: 'Účast na této akci už je potvrzená.',
  },
  already_waitlisted: {
    status: 409,
    en: 'Already on the waitlist of this event.',
    cs: 'Místo na čekací listině této akce už existuje.',
  },
  already_invited: {
    status: 409,
    en: 'Already invited to this event.',
    cs: 'Pozvánka na tuto akci už existuje.',
  },
  not_participant: {
    status: 409,
    en: 'The participation status in this event does not allow this.',
    cs: 'Stav účasti na této akci to neumožňuje.',
  },
  ticket_limit_reached: {
    status: 409,
    en: 'No more ticket codes can be created for this event.',
    cs: 'Pro tuto akci už nelze vytvořit další kódy vstupenek.',
  },
  ticket_used: {
    status: 409,
    en: 'A used ticket code cannot be deleted.',
    cs: 'Použitý kód vstupenky nelze smazat.',
  },
  already_requested: {
    status: 409,
    en: 'A request to join has already been sent.',
    cs: 'Žádost o účast už byla odeslána.',
  },
  request_declined: {
    status: 403,
    en: 'The organizer has declined the request.',
    cs: 'Pořadatel žádost zamítl.',
  },
  waitlist_limit_reached: {
    status: 409,
    en: 'The waitlist of this event is full.',
    cs: 'Čekací listina této akce je plná.',
  },
  request_limit_reached: {
    status: 409,
    en: 'Too many join requests are waiting for an answer.',
    cs: 'Na vyřízení čeká příliš mnoho žádostí o účast.',
  },
  invite_limit_reached: {
    status: 409,
    en: 'Too many invitations are waiting for an answer.',
    cs: 'Na odpověď čeká příliš mnoho pozvánek.',
  },
  user_not_invitable: {
    status: 422,
    en: 'This user cannot be invited.',
    cs: 'Tohoto uživatele nelze pozvat.',
  },

  // Groups
  group_limit_reached: {
    status: 409,
    en: 'You have reached the limit of groups that one account can found.',
    cs: 'Dosáhli jste limitu skupin, které jeden účet může založit.',
  },
  invalid_invitee: {
    status: 422,
    en: 'This user cannot be invited to the group.',
    cs: 'Tohoto uživatele nelze do skupiny pozvat.',
  },
  already_related: {
    status: 409,
    en: 'Already in the group or invited to it.',
    cs: 'Členství nebo pozvánka do této skupiny už existuje.',
  },
  has_pending_request: {
    status: 409,
    en: 'A request to join the group is already waiting for an answer.',
    cs: 'Žádost o vstup do skupiny už čeká na vyřízení.',
  },
  owner_cannot_leave: {
    status: 403,
    en: 'The owner cannot leave the group.',
    cs: 'Vlastník nemůže skupinu opustit.',
  },
  cannot_remove_owner: {
    status: 403,
    en: 'The owner cannot be removed from the group.',
    cs: 'Vlastníka nelze ze skupiny odebrat.',
  },
  not_requested: {
    status: 404,
    en: 'There is no request to join the group.',
    cs: 'Žádost o vstup do skupiny neexistuje.',
  },
  not_related: {
    status: 404,
    en: 'This user is not in the group.',
    cs: 'Tento uživatel ve skupině není.',
  },

  // Comments
  comment_forbidden: {
    status: 403,
    en: 'Only the organizer and confirmed participants can comment on an event; a post must be published first.',
    cs: 'Akci mohou komentovat jen pořadatel a potvrzení účastníci, příspěvek blogu musí být nejdřív zveřejněný.',
  },
  parent_invalid: {
    status: 422,
    en: 'The comment to which you reply does not belong here.',
    cs: 'Komentář, na který odpovídáte, sem nepatří.',
  },
  rate_limited: {
    status: 429,
    en: 'You are commenting too fast. Please wait a moment.',
    cs: 'Komentujete příliš rychle. Chvíli prosím počkejte.',
  },

  // Expenses
  participant_not_eligible: {
    status: 422,
    en: 'Only the organizer and confirmed participants can pay or share an expense. A payment can also include people who have left but still have entries in the expenses.',
    cs: 'Platit nebo sdílet výdaj mohou jen pořadatel a potvrzení účastníci. V platbě mohou být i lidé, kteří z akce odešli, ale ve výdajích stále jsou.',
  },
  expense_limit_reached: {
    status: 409,
    en: 'The event has reached its limit of expenses.',
    cs: 'Akce už má nejvyšší možný počet výdajů.',
  },
  payment_limit_reached: {
    status: 409,
    en: 'The event has reached its limit of recorded payments.',
    cs: 'Akce už má nejvyšší možný počet zaznamenaných plateb.',
  },

  // Puls
  paid_post_unsupported: {
    status: 422,
    en: 'You already have an active Puls post; another one cannot be bought.',
    cs: 'Už máte aktivní příspěvek v Pulsu a další si koupit nelze.',
  },
  active_limit_reached: {
    status: 409,
    en: 'You have reached the limit of active Puls posts.',
    cs: 'Už máte nejvyšší možný počet aktivních příspěvků v Pulsu.',
  },
  post_empty: {
    status: 422,
    en: 'A Puls post needs a text, a photo or a video.',
    cs: 'Příspěvek v Pulsu potřebuje text, fotku nebo video.',
  },
  not_owner: {
    status: 403,
    en: 'This Puls post belongs to someone else.',
    cs: 'Tento příspěvek v Pulsu patří někomu jinému.',
  },
  daily_puls_limit: {
    status: 429,
    en: 'You have reached today’s limit of new Puls posts. Please try again tomorrow.',
    cs: 'Pro dnešek jste vyčerpali limit nových příspěvků v Pulsu. Zkuste to prosím zítra.',
  },

  // Reports
  already_reported: {
    status: 409,
    en: 'You have already reported this. It is being reviewed.',
    cs: 'Toto už jste nahlásili a posuzuje se to.',
  },
  daily_report_limit: {
    status: 429,
    en: 'You have reached today’s limit of reports. Please try again tomorrow.',
    cs: 'Pro dnešek jste vyčerpali limit nahlášení. Zkuste to prosím zítra.',
  },

  // Door links and webhooks
  door_link_limit_reached: {
    status: 409,
    en: 'The event already has the maximum number of door links.',
    cs: 'Akce už má nejvyšší možný počet odkazů pro vstup.',
  },
  webhook_limit_reached: {
    status: 409,
    en: 'You have reached the limit of webhooks for one account.',
    cs: 'Dosáhli jste limitu webhooků na jeden účet.',
  },

  // Event gallery
  photo_limit_reached: {
    status: 409,
    en: 'You would exceed the limit of photos per person in this gallery.',
    cs: 'Překročili byste limit fotek na osobu v této galerii.',
  },
  upload_forbidden: {
    status: 403,
    en: 'You cannot add photos to this gallery.',
    cs: 'Do této galerie nemůžete přidávat fotky.',
  },
  photo_forbidden: {
    status: 403,
    en: 'Only the author and the organizer can delete this photo.',
    cs: 'Tuto fotku může smazat jen její autor a pořadatel.',
  },
  photo_not_found: {
    status: 404,
    en: 'The photo does not exist.',
    cs: 'Fotka neexistuje.',
  },
} as const satisfies Record<string, RefusalEntry>;

/** A machine-readable error code. The code of an error never changes. */
export type RefusalCode = keyof typeof REFUSALS;

/**
 * The refusal of a server that is overloaded or being restarted. Its code is also `server_error` (WIRE-44), but status
 * and text are not the same as in `REFUSALS.server_error`.
 */
export const SERVICE_UNAVAILABLE = {
  code: 'server_error',
  status: 503,
  en: 'The service is overloaded or being restarted. Please try again in a moment.',
  cs: 'Služba je přetížená nebo se právě restartuje. Zkuste to prosím za chvíli.',
} as const satisfies RefusalEntry & { readonly code: RefusalCode };
