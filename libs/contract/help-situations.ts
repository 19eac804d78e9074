import { LIMITS } from './limits';

/** The description, in Markdown, of a situation in which an error code is returned. */
interface Situation {
  readonly en: string;
  readonly cs: string;
}

/** A situation in which the operations with these ids return 409 `conflict`. */
interface ConflictSituation extends Situation {
  readonly operations: readonly string[];
}

/** The situations of 409 `conflict`. Every operation that declares this code is listed here (REF-2). */
export const CONFLICT_SITUATIONS: readonly ConflictSituation[] = [
  {
    operations: ['updateEvent'],
    en: 'The request sends `status: active` for a cancelled event. A cancellation is final.',
    cs: 'Požadavek posílá zrušené akci `status: active`. Zrušení akce nelze vzít zpět.',
  },
  {
    operations: ['deleteEvent'],
    en: 'The event has confirmed participants. Cancel the event instead; the participants will be notified.',
    cs: 'Akce má potvrzené účastníky. Místo smazání ji zrušte: účastníci dostanou oznámení.',
  },
  {
    operations: ['uploadEventImages'],
    en: `The event would have more than ${LIMITS.events.images.per_event} pictures.`,
    cs: `Akce by měla víc než ${LIMITS.events.images.per_event} obrázků.`,
  },
  {
    operations: ['inviteEventParticipant'],
    en: 'The organizer has declined a request of this person, or has banned this person: remove the person from the participants first.',
    cs: 'Pořadatel dříve odmítl žádost tohoto člověka nebo mu zakázal účast: nejdřív ho z účastníků odeberte.',
  },
  {
    operations: ['inviteEventParticipant', 'promoteEventParticipant'],
    en: 'The event is cancelled or over.',
    cs: 'Akce je zrušená nebo skončila.',
  },
  {
    operations: ['removeEventParticipant'],
    en: 'The request would ban the organizer from their own event.',
    cs: 'Požadavek by zakázal účast pořadateli akce.',
  },
  {
    operations: ['checkInEventParticipant', 'checkInByCode'],
    en: 'The event is cancelled: nobody can be checked in.',
    cs: 'Akce je zrušená: nikoho nelze odbavit.',
  },
  {
    operations: ['undoEventCheckIn'],
    en: 'The person paid with credits, and the check-in has released the credits to the organizer.',
    cs: 'Člověk platil kredity a odbavením už připadly pořadateli.',
  },
  {
    operations: ['sendEventMessage'],
    en: 'Nobody has the chosen status, or the event ended more than 7 days ago.',
    cs: 'Nikdo nemá zvolený stav, nebo akce skončila před více než 7 dny.',
  },
  {
    operations: ['createDoorLink'],
    en: 'The door links of the event have ended: 12 hours have passed since the end of the event.',
    cs: 'Odkazy pro vstup už skončily: od konce akce uplynulo 12 hodin.',
  },
  {
    operations: ['createEventTickets'],
    en: 'The event does not have `join_mode=tickets`.',
    cs: 'Akce nemá `join_mode=tickets`.',
  },
  {
    operations: ['createSeries'],
    en: `The account has ${LIMITS.series.live_per_account} live series (series that still generate dates or have upcoming dates).`,
    cs: `Účet má ${LIMITS.series.live_per_account} živých sérií: ještě se jim vytvářejí termíny, nebo mají nějaký termín před sebou.`,
  },
  {
    operations: ['cancelSeries'],
    en: 'The series is already cancelled, or has ended and has no upcoming dates.',
    cs: 'Série už je zrušená, nebo skončila a nemá před sebou žádný termín.',
  },
  {
    operations: ['addGroupEventInterest'],
    en: 'The event is cancelled or not public, or it belongs to this group.',
    cs: 'Akce je zrušená nebo není veřejná, nebo patří této skupině.',
  },
];

/** The situations of 422 `validation_failed`. */
export const VALIDATION_SITUATIONS: readonly Situation[] = [
  {
    en: 'The body cannot be read. Send a JSON object with `Content-Type: application/json`; an array, a body without `Content-Type` and `application/x-www-form-urlencoded` are refused. `createPuls` and the uploads of pictures take only `multipart/form-data`. Other reasons are malformed JSON, a malformed form, and a field name or text that cannot be stored. `errors` has only `body`.',
    cs: 'Tělo nelze přečíst. Posílejte objekt JSON s `Content-Type: application/json`; pole, tělo bez `Content-Type` a `application/x-www-form-urlencoded` se odmítají. `createPuls` a nahrávání obrázků přijímají jen `multipart/form-data`. Dalšími důvody jsou vadný JSON, vadný formulář a název pole nebo text, který nelze uložit. V `errors` je jen `body`.',
  },
  {
    en: 'A required field is absent, or a field that must have a value is null or empty.',
    cs: 'Povinné pole chybí, nebo je null či prázdné pole, které hodnotu mít musí.',
  },
  {
    en: 'A value is of the wrong type, too short, too long, too small, too large, or not one of the allowed values.',
    cs: 'Hodnota je jiného typu, příliš krátká, dlouhá, malá či velká, nebo nepatří mezi povolené.',
  },
  {
    en: 'Two values contradict each other. Examples: an end before its start, a latitude without a longitude, a lower bound above the upper bound.',
    cs: 'Dvě hodnoty si odporují. Příklady: konec před začátkem, šířka bez délky, dolní mez nad horní.',
  },
  {
    en: 'A time or day cannot be read, or is in the past or in the future although the field does not allow this.',
    cs: 'Čas či den nelze přečíst, nebo je v minulosti či v budoucnosti, i když to u pole není dovoleno.',
  },
  {
    en: 'A field names a thing or person that does not exist or that you may not use (`group`, `event_id`, `user`).',
    cs: 'Pole odkazuje na věc či člověka, kteří neexistují nebo které použít nesmíte (`group`, `event_id`, `user`).',
  },
  {
    en: 'The state of the thing does not allow the new value. Examples: fewer seats than participants, `join_mode=request` for an event with a price in credits.',
    cs: 'Novou hodnotu nedovoluje stav věci. Příklady: méně míst než účastníků, `join_mode=request` u akce s cenou v kreditech.',
  },
  {
    en: 'A file is empty, too large or not a readable picture or video, or there are too many or too few files.',
    cs: 'Soubor je prázdný, příliš velký, není to čitelný obrázek ani video, nebo je jich moc či málo.',
  },
  {
    en: 'A parameter of the query is wrong. Examples: `page=0`, `per_page=500`, an unknown `relation`.',
    cs: 'Parametr dotazu je chybný. Příklady: `page=0`, `per_page=500`, neznámá `relation`.',
  },
  {
    en: 'The header `Idempotency-Key` is sent twice or is not valid. `errors` has the message under the name of the header.',
    cs: 'Hlavička `Idempotency-Key` přišla dvakrát nebo není platná. V `errors` je text pod jménem této hlavičky.',
  },
];
