import type { ChangeType } from './changes';
import type { Locale } from './vocabulary';

/**
 * The meaning of each type of change, for the OpenAPI document and /docs/changes. If a type has no text, the compiler
 * reports an error.
 */
export const CHANGE_TEXTS: Readonly<Record<ChangeType, Readonly<Record<Locale, string>>>> = {
  'event.created': {
    en: 'An event was created: your own, or an event of a group you belong to.',
    cs: 'Vznikla akce: vaše vlastní, nebo akce skupiny, do které patříte.',
  },
  'event.updated': {
    en: 'The event changed: its data, its number of participants, or the part of it that you can see.',
    cs: 'Akce se změnila: její údaje, počet účastníků, nebo to, co z ní vidíte.',
  },
  'event.cancelled': {
    en: 'The event was cancelled. It stays visible and cannot become active again.',
    cs: 'Akce byla zrušena. Zůstává viditelná a znovu aktivní už nebude.',
  },
  'event.gone': {
    en: 'You have no access to the event any more: it was deleted, removed or made private, or your relation to it ended. Everything that belongs to the event is gone too.',
    cs: 'K akci už nemáte přístup: byla smazána, odstraněna nebo se stala soukromou, nebo skončil váš vztah k ní. S ní zmizelo i všechno, co pod ni patří.',
  },
  'series.created': {
    en: 'You created a series.',
    cs: 'Založili jste sérii.',
  },
  'series.updated': {
    en: 'Your series changed: its template, its occurrences, or whether it continues.',
    cs: 'Vaše série se změnila: její předloha, její termíny, nebo to, zda pokračuje.',
  },
  'series.gone': {
    en: 'Your series is not visible any more.',
    cs: 'Vaše série už není vidět.',
  },
  'group.created': {
    en: 'You founded a group.',
    cs: 'Založili jste skupinu.',
  },
  'group.updated': {
    en: 'The group changed: its data, or its number of members.',
    cs: 'Skupina se změnila: její údaje, nebo počet členů.',
  },
  'group.gone': {
    en: 'You have no access to the group any more: it was deleted, you left or were removed, or your invitation or request ended. Events that you saw only through this group are gone too.',
    cs: 'Ke skupině už nemáte přístup: byla smazána, odešli jste z ní, byli jste odebráni, nebo skončila vaše pozvánka či žádost. S ní zmizely i akce, které jste viděli jen díky ní.',
  },
  'post.created': {
    en: 'You created a post.',
    cs: 'Vytvořili jste příspěvek.',
  },
  'post.updated': {
    en: 'Your post changed: its text, its cover, its status, or whether the post or its event is visible.',
    cs: 'Váš příspěvek se změnil: text, obálka, stav, nebo viditelnost příspěvku či jeho akce.',
  },
  'post.gone': {
    en: 'Your post was deleted, or is not visible any more.',
    cs: 'Váš příspěvek byl smazán, nebo už není vidět.',
  },
  'comment.created': {
    en: 'A comment was written on an event that concerns you or on your post, or a removed comment is back.',
    cs: 'Přibyl komentář u akce, která se vás týká, nebo u vašeho příspěvku; případně se vrátil odstraněný komentář.',
  },
  'comment.updated': {
    en: 'The author of the comment is shown differently, because the account was erased. Comments cannot be edited.',
    cs: 'Autor komentáře se zobrazuje jinak, protože jeho účet byl vymazán. Komentáře nelze upravovat.',
  },
  'comment.gone': {
    en: 'A comment was deleted or removed, together with its replies.',
    cs: 'Komentář byl smazán nebo odstraněn i s odpověďmi.',
  },
  'expense.created': {
    en: 'An expense was added to an event that you take part in.',
    cs: 'Přibyl výdaj u akce, které se účastníte.',
  },
  'expense.updated': {
    en: "The shared costs of an event changed without a new expense: a payment was recorded or deleted (`subject.id` is then the payment's id, and `object` is null if the payment was deleted), a person who has to be paid changed their bank account, or the user account of a person who shares the costs was erased.",
    cs: 'Společné náklady akce se změnily jinak než novým výdajem: někdo zapsal nebo smazal platbu (`subject.id` je pak id platby a u smazané platby je `object` null), někdo, komu se má platit, změnil bankovní účet, nebo byl vymazán uživatelský účet někoho, kdo se o náklady dělí.',
  },
  'expense.gone': {
    en: 'An expense was deleted.',
    cs: 'Výdaj byl smazán.',
  },
  'photo.created': {
    en: 'A photo was added to the gallery of an event that you take part in, or a removed photo is back.',
    cs: 'V galerii akce, které se účastníte, přibyla fotka; případně se vrátila odstraněná fotka.',
  },
  'photo.updated': {
    en: 'Not sent at present: photos do not change.',
    cs: 'Zatím se neposílá: fotky se nemění.',
  },
  'photo.gone': {
    en: 'A photo was deleted or removed from a gallery.',
    cs: 'Fotka byla z galerie smazána nebo odstraněna.',
  },
  'itinerary.created': {
    en: "An itinerary was added to an event that you take part in. `subject.id` is the event's id.",
    cs: 'K akci, které se účastníte, přibyl program. `subject.id` je id akce.',
  },
  'itinerary.updated': {
    en: "The itinerary of an event changed. `subject.id` is the event's id.",
    cs: 'Program akce se změnil. `subject.id` je id akce.',
  },
  'itinerary.gone': {
    en: "The itinerary of an event was deleted. `subject.id` is the event's id.",
    cs: 'Program akce byl smazán. `subject.id` je id akce.',
  },
  'participant.created': {
    en: "Somebody was invited to your event, asked to join it or joined its waitlist, or the same happened to you at somebody else's event. This change is also sent when you ban a person who has no relation to your event. `subject.id` is the person's slug.",
    cs: 'Někdo byl pozván na vaši akci, požádal o účast na ní nebo se zapsal do čekací listiny; nebo se to stalo vám u cizí akce. Tato změna přijde i tehdy, když účast zakážete někomu, kdo k akci nemá vztah. `subject.id` je slug té osoby.',
  },
  'participant.joined': {
    en: "Somebody is now a confirmed participant of your event, or you are now a confirmed participant of somebody else's event. `subject.id` is the slug of the person who joined. `by` is the account that made the change; for an approved request, this is the organizer.",
    cs: 'Někdo je teď potvrzeným účastníkem vaší akce, nebo jste teď vy potvrzeným účastníkem cizí akce. `subject.id` je slug toho, kdo se přidal; `by` je účet, který změnu provedl, u schválené žádosti tedy pořadatel.',
  },
  'participant.updated': {
    en: "A participant changed: the status, the check-in, or how the person is shown. `subject.id` is the person's slug.",
    cs: 'Účastník se změnil: jeho stav, příchod, nebo to, jak se zobrazuje. `subject.id` je slug té osoby.',
  },
  'participant.gone': {
    en: "Somebody no longer belongs to the event: the person left, declined or was removed, or the offer of a seat lapsed. `subject.id` is the person's slug.",
    cs: 'Někdo už k akci nepatří: odešel, odmítl pozvání, byl odebrán, nebo mu vypršela nabídka místa. `subject.id` je slug té osoby.',
  },
  'member.created': {
    en: "Somebody was invited to a group, asked to join it, or joined it. `subject.id` is the person's slug.",
    cs: 'Někdo byl pozván do skupiny, požádal o členství, nebo do ní vstoupil. `subject.id` je slug té osoby.',
  },
  'member.updated': {
    en: "A person who was invited to the group, or asked to join it, became a member. `subject.id` is the person's slug.",
    cs: 'Pozvaný nebo žadatel se stal členem skupiny. `subject.id` je slug té osoby.',
  },
  'member.gone': {
    en: "Somebody left the group or was removed, or an invitation or request ended. `subject.id` is the person's slug.",
    cs: 'Někdo ze skupiny odešel, byl odebrán, nebo skončila jeho pozvánka či žádost. `subject.id` je slug té osoby.',
  },
  'ticket.created': {
    en: 'A ticket code was created for your event. `subject.id` is the code.',
    cs: 'Pro vaši akci vznikl kód vstupenky. `subject.id` je ten kód.',
  },
  'ticket.updated': {
    en: 'Somebody joined your event with a ticket code. `subject.id` is the code.',
    cs: 'Někdo se kódem vstupenky přidal k vaší akci. `subject.id` je ten kód.',
  },
  'ticket.gone': {
    en: 'An unused ticket code of your event was deleted. `subject.id` is the code.',
    cs: 'Nepoužitý kód vstupenky vaší akce byl smazán. `subject.id` je ten kód.',
  },
  'notice.created': {
    en: 'You got a notice.',
    cs: 'Přišlo vám oznámení.',
  },
  'notice.updated': {
    en: 'A notice changed: it was marked as read, a text that it quotes was deleted, hidden or restored (also together with its event or post), or the account of a person whom it names was erased.',
    cs: 'Oznámení se změnilo: bylo označeno jako přečtené, text, který cituje, byl smazán, skryt nebo obnoven (i spolu se svou akcí či příspěvkem), nebo byl vymazán účet osoby, kterou jmenuje.',
  },
  'notice.gone': {
    en: 'Not sent at present: notices are deleted only because of their age, after 90 days.',
    cs: 'Zatím se neposílá: oznámení se mažou jen podle stáří, po 90 dnech.',
  },
};
