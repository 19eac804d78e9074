import type { RefusalHelp } from './help-text';
import { LIMITS } from './limits';

const { door, events, expenses, gallery, messages, participation } = LIMITS;

/** Help for the refusal codes of operations on events: creating events, joining events, and the data of events. */
export const EVENTS_HELP = {
  daily_event_limit: {
    en: {
      meaning: `This account has already created ${events.created_per_day} events or series today, deleted ones included. Days are counted in Prague time.`,
      advice:
        '`Retry-After` is the time until midnight in Prague. `GET /api/v1/limits` shows in advance how many events are left (`event_creation`).',
    },
    cs: {
      meaning: `Tento účet dnes už založil ${events.created_per_day} akce nebo série, včetně smazaných. Dny se počítají v pražském čase.`,
      advice:
        '`Retry-After` sahá do pražské půlnoci. Kolik akcí ještě lze založit, řekne předem `GET /api/v1/limits` (`event_creation`).',
    },
  },
  daily_message_limit: {
    en: {
      meaning: `The organizer has already sent ${messages.per_day} messages to the people of this event today. Days are counted in Prague time.`,
      advice: '`Retry-After` is the time until midnight in Prague. Refused messages do not count.',
    },
    cs: {
      meaning: `Lidem této akce dnes už přišly ${messages.per_day} zprávy od pořadatele. Dny se počítají v pražském čase.`,
      advice: '`Retry-After` sahá do pražské půlnoci. Odmítnuté zprávy se nepočítají.',
    },
  },
  paid_ticket_unsupported: {
    en: {
      meaning:
        'The event has a price in credits. Paying with credits is not possible yet, neither through the API nor on the pages of this service.',
      advice:
        'Show the person that nobody can join this event at present. Inviting, leaving, removing and checking in still work.',
    },
    cs: {
      meaning: 'Akce má cenu v kreditech. Platit kredity zatím nejde přes API ani na stránkách této služby.',
      advice: 'Ukažte člověku, že se k akci teď nelze přidat. Zvát, odcházet, odebírat a odbavovat lze dál.',
    },
  },
  wrong_password: {
    en: {
      meaning: 'The event has `join_mode=password`, and `password` is missing or wrong.',
      advice: `Ask the person for the password that the organizer gave out. After ${participation.wrong_passwords.max} wrong attempts in ${participation.wrong_passwords.window / 60} minutes the response is 429 \`too_many_requests\`.`,
    },
    cs: {
      meaning: 'Akce má `join_mode=password` a `password` chybí nebo není správné.',
      advice: `Zeptejte se člověka na heslo od pořadatele. Po ${participation.wrong_passwords.max} chybných pokusech během ${participation.wrong_passwords.window / 60} minut následuje 429 \`too_many_requests\`.`,
    },
  },
  invalid_ticket_code: {
    en: {
      meaning:
        'The event has `join_mode=tickets`, and `ticket_code` is missing, unknown or used. A code is for one person, and stays used after that person leaves.',
      advice:
        'Have the person check the code letter by letter, or ask the organizer for another code. A refused attempt does not use up a code.',
    },
    cs: {
      meaning:
        'Akce má `join_mode=tickets` a `ticket_code` chybí, neexistuje nebo už byl použit. Kód platí pro jednoho člověka a zůstává použitý, i když ten člověk později odejde.',
      advice:
        'Ať člověk kód zkontroluje písmeno po písmenu, nebo si řekne pořadateli o jiný. Odmítnutý pokus žádný kód nespotřebuje.',
    },
  },
  door_link_limit_reached: {
    en: {
      meaning: `The event has ${door.links.per_event} door links that have not ended. Concurrent requests never create more.`,
      advice: 'End a link that is not needed: `DELETE /api/v1/events/{id}/door/links/{linkId}`.',
    },
    cs: {
      meaning: `Akce má ${door.links.per_event} platných odkazů pro vstup. Ani mnoho požadavků najednou jich nevytvoří víc.`,
      advice: 'Ukončete některý odkaz, který už není potřeba: `DELETE /api/v1/events/{id}/door/links/{linkId}`.',
    },
  },
  event_full: {
    en: {
      meaning:
        'Each seat (`max_participants`) is taken by the organizer or a confirmed participant, or is reserved for people on the waitlist. Concurrent requests never take more seats than there are.',
      advice:
        'Offer the waitlist: `POST /api/v1/events/{id}/waitlist`. The organizer can free a seat by raising `max_participants` or removing a participant.',
    },
    cs: {
      meaning:
        'Všechna místa (`max_participants`) mají pořadatel a potvrzení účastníci, nebo jsou vyhrazená lidem z čekací listiny. Ani mnoho požadavků najednou nezíská víc míst, než jich je.',
      advice:
        'Nabídněte čekací listinu: `POST /api/v1/events/{id}/waitlist`. Pořadatel místo uvolní zvýšením `max_participants` nebo odebráním účastníka.',
    },
  },
  cannot_join: {
    en: {
      meaning:
        'This person cannot join this event or its waitlist. There are several possible reasons: the event is the person’s own, or is cancelled, over or private; the person does not meet the age or gender condition, or the profile does not state the age or gender; the organizer has blocked the person; the waitlist is not open, because there are free seats or because people must ask to join. The message says only as much as the person may know.',
      advice:
        'Read the event again: `viewer.can_join` and the other fields of the event show what you can offer. Repeating the request does not help.',
    },
    cs: {
      meaning:
        'Tento člověk se nemůže připojit k akci ani k její čekací listině. Důvodů může být několik: akce je jeho vlastní, je zrušená, skončila nebo je soukromá; člověk nesplňuje podmínku věku či pohlaví, nebo je nemá v profilu vyplněné; pořadatel ho blokuje; čekací listina není otevřená, protože jsou volná místa nebo se o účast žádá. Text odpovědi říká jen to, co člověk smí vědět.',
      advice:
        'Načtěte akci znovu: co lze nabídnout, říká `viewer.can_join` a její další pole. Opakovat požadavek nepomůže.',
    },
  },
  already_participant: {
    en: {
      meaning: 'The person is confirmed for the event already. Nothing was changed.',
      advice:
        'Treat the request as done. To be sure, read `viewer.participation` of the event or its list of participants.',
    },
    cs: {
      meaning: 'Člověk už má účast na akci potvrzenou. Nic se nezměnilo.',
      advice: 'Berte to jako hotové. Pro jistotu si přečtěte `viewer.participation` akce nebo seznam účastníků.',
    },
  },
  already_waitlisted: {
    en: {
      meaning: 'The person is on the waitlist of the event already.',
      advice:
        'Treat the request as done. `DELETE /api/v1/events/{id}/join` leaves the waitlist. Depending on `waitlist_mode`, the organizer or the service gives free seats to people on the waitlist.',
    },
    cs: {
      meaning: 'Člověk už na čekací listině akce je.',
      advice:
        'Berte to jako hotové. Listinu lze opustit pomocí `DELETE /api/v1/events/{id}/join`. Místa lidem z ní přiděluje pořadatel nebo služba, podle `waitlist_mode`.',
    },
  },
  already_invited: {
    en: {
      meaning: 'This person already has an unanswered invitation to this event.',
      advice:
        'The invited person accepts with `POST /api/v1/events/{id}/join` and declines with `DELETE` on the same path; the organizer need not do anything.',
    },
    cs: {
      meaning: 'Pozvánka tohoto člověka na tuto akci už čeká na odpověď.',
      advice:
        'Pozvaný ji přijme `POST /api/v1/events/{id}/join` a odmítne `DELETE` na stejné cestě; pořadatel nemusí dělat nic.',
    },
  },
  already_requested: {
    en: {
      meaning: 'This person’s request to join is already waiting for the organizer.',
      advice: 'Show that the answer is pending. `DELETE /api/v1/events/{id}/join` withdraws the request.',
    },
    cs: {
      meaning: 'Žádost tohoto člověka o účast už čeká na pořadatele.',
      advice: 'Ukažte, že se čeká na odpověď. `DELETE /api/v1/events/{id}/join` žádost vezme zpět.',
    },
  },
  not_participant: {
    en: {
      meaning:
        'The person currently does not have the relation to the event that the request needs. For example, a person who does not take part in an event cannot leave it.',
      advice:
        'Read the participants again. If the request was meant to end this person’s participation, treat it as done.',
    },
    cs: {
      meaning:
        'Tento člověk teď nemá k akci vztah, který požadavek vyžaduje. Například nelze odejít z akce, které se člověk neúčastní.',
      advice: 'Načtěte účastníky znovu. Pokud měl požadavek účast tohoto člověka ukončit, berte to jako hotové.',
    },
  },
  request_declined: {
    en: {
      meaning: 'The organizer has declined this person’s request to join this event.',
      advice:
        'Do not offer to ask again. The organizer can remove the declined request. After that, the person may ask again, and the organizer may invite the person.',
    },
    cs: {
      meaning: 'Pořadatel žádost tohoto člověka o účast na této akci odmítl.',
      advice:
        'Další žádost nenabízejte. Pořadatel může odmítnutou žádost odebrat; potom může člověk žádat znovu a pořadatel ho může pozvat.',
    },
  },
  waitlist_limit_reached: {
    en: {
      meaning: `The waitlist of this event has ${participation.waitlisted_per_event} people, which is the limit.`,
      advice: 'Try again when somebody has left the waitlist, or suggest another event.',
    },
    cs: {
      meaning: `Na čekací listině této akce je ${participation.waitlisted_per_event} lidí, víc jich být nemůže.`,
      advice: 'Zkuste to, až z listiny někdo odejde, nebo nabídněte jinou akci.',
    },
  },
  request_limit_reached: {
    en: {
      meaning: `Either this person has ${participation.pending_requests_per_user} unanswered requests, or this event has ${participation.pending_requests_per_event} unanswered requests.`,
      advice:
        'Withdraw requests that no longer matter (`GET /api/v1/events?relation=requested` lists them), or try again when the organizer has answered some.',
    },
    cs: {
      meaning: `Buď čeká na odpověď ${participation.pending_requests_per_user} žádostí tohoto člověka, nebo ${participation.pending_requests_per_event} žádostí o tuto akci.`,
      advice:
        'Vezměte zpět žádosti, o které už nejde (vypíše je `GET /api/v1/events?relation=requested`), nebo to zkuste, až pořadatel některé vyřídí.',
    },
  },
  invite_limit_reached: {
    en: {
      meaning: `Too many invitations are unanswered: an event has at most ${participation.pending_invitations_per_event}, and a group has at most ${LIMITS.groups.pending_invitations}.`,
      advice:
        'Withdraw invitations by removing the invited people, or wait until some people have answered. The invite link of a group has no such limit.',
    },
    cs: {
      meaning: `Příliš mnoho pozvánek čeká na odpověď: u akce nejvýše ${participation.pending_invitations_per_event}, u skupiny ${LIMITS.groups.pending_invitations}.`,
      advice:
        'Vezměte pozvánky zpět odebráním pozvaných, nebo počkejte na odpovědi. Odkaz do skupiny takový limit nemá.',
    },
  },
  user_not_invitable: {
    en: {
      meaning:
        'The user does not exist, does not want to be found, is banned from the service, is the organizer, or has blocked the organizer. The server does not reveal which of these is true.',
      advice: 'Ask the inviting user to check the `slug`, or offer the `url` of the event instead.',
    },
    cs: {
      meaning:
        'Takový uživatel není, nechce být nalezen, má ve službě zákaz, je to sám pořadatel, nebo pořadatele blokuje. Server neprozrazuje, co z toho platí.',
      advice: 'Ať ten, kdo zve, zkontroluje `slug`, nebo mu místo pozvánky nabídněte `url` akce.',
    },
  },
  ticket_limit_reached: {
    en: {
      meaning: `No more codes can be created. An event can have at most ${participation.tickets.per_event} codes, used codes included. In addition, the unused codes and the participants who joined with a code must together not exceed \`max_participants\`.`,
      advice:
        'Delete unused codes, or raise `max_participants`. If only some of the requested codes can be created, the response is 201 with these codes.',
    },
    cs: {
      meaning: `Další kód už nelze vytvořit. Akce jich může mít nejvýše ${participation.tickets.per_event}, včetně použitých. Nepoužitých kódů a účastníků, kteří se přidali s kódem, navíc nesmí být dohromady víc než \`max_participants\`.`,
      advice:
        'Smažte nepoužité kódy, nebo zvyšte `max_participants`. Pokud lze vytvořit jen část požadovaných kódů, dostanete ji s 201.',
    },
  },
  ticket_used: {
    en: {
      meaning: 'Somebody has joined with this code. The code stays used even after that person leaves.',
      advice: 'If this person should not come, remove the person from the participants instead.',
    },
    cs: {
      meaning: 'S tímto kódem se už někdo připojil. Kód zůstává použitý, i když ten člověk odejde.',
      advice: 'Pokud ten člověk nemá přijít, odeberte ho z účastníků.',
    },
  },
  participant_not_eligible: {
    en: {
      meaning:
        'At least one of the people in the request is neither the organizer nor a confirmed participant. `paid_by` and `shared_with` of an expense accept no other people. `from` and `to` of a payment also accept people who have left the event but still have entries in its expenses.',
      advice:
        'For an expense, offer only the organizer and the confirmed participants. For a payment, also offer the people who have entries in the expenses. `participants` of `GET /api/v1/events/{id}/expenses` lists all these people.',
    },
    cs: {
      meaning:
        'Někdo z uvedených lidí není pořadatelem ani potvrzeným účastníkem. `paid_by` a `shared_with` u výdaje nikoho jiného nepřijímají. `from` a `to` u platby přijímají i lidi, kteří z akce odešli, ale v jejích výdajích jsou dál.',
      advice:
        'U výdaje nabízejte jen pořadatele a potvrzené účastníky, u platby také lidi, kteří jsou ve výdajích akce. Všechny vypisuje `participants` v `GET /api/v1/events/{id}/expenses`.',
    },
  },
  expense_limit_reached: {
    en: {
      meaning: `The event has ${expenses.per_event} expenses, which is the limit.`,
      advice: 'Delete one expense, or combine several costs into one expense.',
    },
    cs: {
      meaning: `Akce má ${expenses.per_event} výdajů, a víc jich mít nesmí.`,
      advice: 'Smažte některý výdaj, nebo spojte více nákladů do jednoho výdaje.',
    },
  },
  payment_limit_reached: {
    en: {
      meaning: `The event has ${expenses.payments_per_event} recorded payments, which is the limit.`,
      advice:
        'Delete a payment that is not needed, or record several payments between the same two people as one payment.',
    },
    cs: {
      meaning: `Akce má ${expenses.payments_per_event} zaznamenaných plateb, a víc jich mít nesmí.`,
      advice: 'Smažte některou nepotřebnou platbu, nebo zapište více plateb mezi týmiž lidmi jako jednu.',
    },
  },
  photo_limit_reached: {
    en: {
      meaning: `With these photos, you would have more than ${gallery.per_user} photos in the gallery of this event. None of these photos was stored.`,
      advice: 'Send fewer photos, or delete some of your own photos first.',
    },
    cs: {
      meaning: `S těmito fotkami byste jich v galerii této akce měli víc než ${gallery.per_user}. Neuložila se žádná.`,
      advice: 'Pošlete méně fotek, nebo nejdřív některé své fotky smažte.',
    },
  },
  upload_forbidden: {
    en: {
      meaning:
        'Only the organizer, and the confirmed participants whom the organizer does not block, can add photos, and only while the gallery accepts them (`photos_enabled`).',
      advice: '`meta.can_upload` of the gallery says in advance whether this person may add photos.',
    },
    cs: {
      meaning:
        'Fotky smí přidávat jen pořadatel a potvrzení účastníci, které pořadatel neblokuje, a jen dokud galerie fotky přijímá (`photos_enabled`).',
      advice: 'Zda tento člověk smí fotky přidávat, řekne předem `meta.can_upload` galerie.',
    },
  },
  photo_forbidden: {
    en: {
      meaning: 'Only the person who added a photo and the organizer of the event can delete it.',
      advice: 'Offer the deletion only where `viewer.can_delete` of the photo is true.',
    },
    cs: {
      meaning: 'Fotku smí smazat jen ten, kdo ji přidal, a pořadatel akce.',
      advice: 'Smazání nabízejte jen tehdy, když je `viewer.can_delete` fotky true.',
    },
  },
  photo_not_found: {
    en: {
      meaning: 'The gallery of the event has no such photo: it was deleted, or the id is wrong.',
      advice: 'Read the gallery again. If the request was meant to delete the photo, treat it as done.',
    },
    cs: {
      meaning: 'V galerii akce taková fotka není: byla smazána, nebo je id chybné.',
      advice: 'Načtěte galerii znovu. Pokud měl požadavek fotku smazat, berte to jako hotové.',
    },
  },
} as const satisfies Record<string, RefusalHelp>;
