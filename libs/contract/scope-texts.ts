import type { Scope } from './scopes';
import type { Locale } from './vocabulary';

/** Descriptions of the scopes, for people who are asked to grant them. */
export const SCOPE_TEXTS: Readonly<Record<Scope, Readonly<Record<Locale, string>>>> = {
  read: { en: 'See everything that your account sees', cs: 'Vidět vše, co vidí váš účet' },
  write: {
    en: 'See and change everything that your account can see and change',
    cs: 'Vidět a měnit vše, co může váš účet',
  },
  'people:read': { en: 'Find people and see their profiles', cs: 'Hledat lidi a vidět jejich profily' },
  'events:read': {
    en: 'See your events, series, itineraries and statistics',
    cs: 'Vidět vaše akce, série, programy a statistiky',
  },
  'events:write': {
    en: 'See, create, change and delete your events, series and itineraries, and write to their participants',
    cs: 'Vidět, zakládat, měnit a mazat vaše akce, série a programy a psát jejich účastníkům',
  },
  'discover:read': {
    en: 'Browse events, groups and posts that you can see',
    cs: 'Procházet akce, skupiny a příspěvky, které vidíte',
  },
  join: {
    en: 'Join and leave events for you, and see your check-in codes and tickets',
    cs: 'Přihlašovat vás na akce, odhlašovat vás z nich a vidět vaše vstupní kódy a vstupenky',
  },
  'calendar:read': { en: 'See the private address of your calendar', cs: 'Vidět soukromou adresu vašeho kalendáře' },
  'calendar:write': {
    en: 'See and renew the private address of your calendar',
    cs: 'Vidět a obnovovat soukromou adresu vašeho kalendáře',
  },
  'participants:read': {
    en: 'See the participants, tickets and door links of your events, and who has been checked in',
    cs: 'Vidět účastníky vašich akcí, jejich vstupenky a odbavení, a odkazy pro vstup',
  },
  'participants:write': {
    en: 'See, invite, remove and check in participants of your events, and manage tickets and door links',
    cs: 'Vidět, zvát, odebírat a odbavovat účastníky vašich akcí a spravovat vstupenky a odkazy pro vstup',
  },
  'groups:read': { en: 'See your groups and their members', cs: 'Vidět vaše skupiny a jejich členy' },
  'groups:write': {
    en: 'See your groups, join and leave groups for you, and manage your own',
    cs: 'Vidět vaše skupiny, přihlašovat vás do skupin, odhlašovat vás z nich a spravovat ty vaše',
  },
  'posts:read': { en: 'See your posts and drafts', cs: 'Vidět vaše příspěvky a koncepty' },
  'posts:write': { en: 'See, write, change and delete your posts', cs: 'Vidět, psát, měnit a mazat vaše příspěvky' },
  'comments:read': { en: 'Read comments', cs: 'Číst komentáře' },
  'comments:write': {
    en: 'Read, write and delete comments in your name',
    cs: 'Číst, psát a mazat komentáře vaším jménem',
  },
  'expenses:read': { en: 'See the shared expenses of your events', cs: 'Vidět společné výdaje vašich akcí' },
  'expenses:write': {
    en: 'See, add and delete shared expenses and payments',
    cs: 'Vidět, přidávat a mazat společné výdaje a platby',
  },
  'puls:read': { en: 'Read Puls posts', cs: 'Číst příspěvky v Pulsu' },
  'puls:write': {
    en: 'Read, write and delete Puls posts in your name',
    cs: 'Číst, psát a mazat příspěvky v Pulsu vaším jménem',
  },
  'photos:read': { en: 'See photos of events', cs: 'Vidět fotky z akcí' },
  'photos:write': { en: 'See, add and delete photos of events', cs: 'Vidět, přidávat a mazat fotky z akcí' },
  'notices:read': { en: 'Read your notices', cs: 'Číst vaše oznámení' },
  'notices:write': {
    en: 'Read your notices and mark them as read',
    cs: 'Číst vaše oznámení a označovat je za přečtená',
  },
  'changes:read': { en: 'Follow changes as they happen', cs: 'Průběžně sledovat změny' },
  'webhooks:read': { en: 'See your webhooks and their deliveries', cs: 'Vidět vaše webhooky a jejich doručení' },
  'webhooks:write': {
    en: 'See, create, change and delete webhooks that receive changes',
    cs: 'Vidět, zakládat, měnit a mazat webhooky, které dostávají změny',
  },
  'reports:read': { en: 'See the reports that you have sent', cs: 'Vidět nahlášení, která jste odeslali' },
  'reports:write': {
    en: 'Report content in your name, and see these reports',
    cs: 'Nahlašovat obsah vaším jménem a vidět tato nahlášení',
  },
  'blocks:read': { en: 'See whom you block', cs: 'Vidět, koho blokujete' },
  'blocks:write': {
    en: 'See whom you block, and block and unblock people for you',
    cs: 'Vidět, koho blokujete, a blokovat a odblokovávat lidi za vás',
  },
  'requests:read': { en: 'See the log of API requests of your account', cs: 'Vidět záznam API požadavků vašeho účtu' },
};
