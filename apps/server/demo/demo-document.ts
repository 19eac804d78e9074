import { toWire } from '#platform/time/wire-time';
import { calendarEvents, pulsPosts } from './demo-calendar';
import { DEMO_USER } from './demo-people';
import { pragueHour } from './demo-times';

const DAY_MS = 86_400_000;

/** Groups of the demo, with the slugs of their founders and members. */
export const DEMO_GROUPS = [
  {
    founder: 'lucie-prochazkova',
    members: [DEMO_USER, 'petr-svoboda', 'stepan-kucera'],
    fields: {
      name: 'Pražští chodci',
      description: 'Každý druhý víkend někam pěšky. Psi vítáni.',
      is_public: true,
      location_name: 'Praha',
      latitude: 50.0755,
      longitude: 14.4378,
    },
  },
  {
    founder: DEMO_USER,
    members: ['tereza-dvorakova', 'zuzana-vesela'],
    fields: {
      name: 'Čtenářský klub na Letné',
      description: 'Jedna kniha měsíčně.',
      is_public: true,
      location_name: 'Letná',
      latitude: 50.0983,
      longitude: 14.4237,
    },
  },
] as const;

/** Posts of the demo, with the slugs of their authors. */
export const DEMO_POSTS = [
  {
    author: 'ondrej-cerny',
    fields: {
      title: 'Tři dny na Šumavě bez auta',
      categories: ['evropa', 'priroda_outdoor'],
      location: 'Šumava',
      status: 'published',
      excerpt: 'Vlak, autobus a vlastní nohy stačí.',
      body: '<p>Z <b>Klatov</b> jede autobus až na Modravu. Odtud je to po Javoří pile jen kousek.</p><h3>Kde spát</h3><ul><li>Modrava</li><li>Kvilda</li></ul>',
    },
  },
  {
    author: DEMO_USER,
    fields: {
      title: 'Kde v Praze na koláče',
      categories: ['gastronomie', 'mista'],
      location: 'Praha',
      status: 'published',
      excerpt: 'Pět míst, kam se vracím.',
      body: '<p>Začněte na <i>Letné</i>, skončete ve Vršovicích.</p>',
    },
  },
] as const;

export type DemoDocument = { users: object[]; events: object[]; puls: object[] };

/**
 * The demo as an `apply` document: realistic people, events and Puls posts, with times relative to `now`. A person's
 * picture is the file `SLUG.jpg`. `password` is the password of DEMO_USER. The other people have no password.
 */
export function demoDocument(now: Date, password: string): DemoDocument {
  const at = (days: number, hour: number): string => toWire(pragueHour(now, days, hour));
  const premium_until = new Date(now.getTime() + 3650 * DAY_MS).toISOString();
  const person = (
    slug: string,
    name: string,
    nickname: string | null,
    birth_date: string,
    gender: string,
    more: object = {},
  ): object => ({
    slug,
    name,
    nickname,
    birth_date,
    gender,
    premium_until,
    email: `${slug}@example.org`,
    avatar: `${slug}.jpg`,
    show_participation: true,
    ...more,
  });
  const confirmed = (...slugs: string[]): object[] => slugs.map((user) => ({ user, status: 'confirmed' }));

  return {
    users: [
      person(DEMO_USER, 'Jana Nováková', 'Janička', '1992-04-17', 'female', {
        iban: 'CZ6508000000192000145399',
        password,
      }),
      person('petr-svoboda', 'Petr Svoboda', null, '1988-11-02', 'male'),
      person('tereza-dvorakova', 'Tereza Dvořáková', 'Terka', '1997-07-23', 'female'),
      person('ondrej-cerny', 'Ondřej Černý', 'Ondra', '1985-01-30', 'male'),
      person('lucie-prochazkova', 'Lucie Procházková', null, '1990-09-09', 'female'),
      person('stepan-kucera', 'Štěpán Kučera', 'Štěpo', '2001-12-12', 'male'),
      person('zuzana-vesela', 'Zuzana Veselá', 'Zuzka', '1994-05-05', 'female'),
      person('jiri-horak', 'Jiří Horák', null, '1979-02-28', 'male', { verified: true }),
    ],
    events: [
      {
        key: 'piknik',
        organizer: DEMO_USER,
        title: 'Piknik ve Stromovce',
        type: 'food',
        starts_at: at(6, 14),
        ends_at: at(6, 19),
        description: '<p>Deky s sebou, <b>koláče zařídím</b>. Sejdeme se u planetária.</p>',
        location_name: 'Stromovka',
        location_address: 'Královská obora 233, Praha 7',
        latitude: 50.1058,
        longitude: 14.4266,
        max_participants: 20,
        participants: confirmed('petr-svoboda', 'tereza-dvorakova', 'zuzana-vesela'),
      },
      {
        key: 'deskovky',
        organizer: 'petr-svoboda',
        title: 'Deskovky v Žižkovské čajovně',
        type: 'game',
        starts_at: at(2, 18),
        ends_at: at(2, 22),
        description: '<p>Carcassonne, Dominion a cokoli přinesete. Začátečníci vítáni.</p>',
        location_name: 'Čajovna U Cesty',
        location_address: 'Bořivojova 27, Praha 3',
        latitude: 50.0829,
        longitude: 14.4497,
        max_participants: 8,
        seeking_company: true,
        participants: confirmed(DEMO_USER, 'stepan-kucera'),
      },
      {
        key: 'rip',
        organizer: 'lucie-prochazkova',
        title: 'Výšlap na Říp',
        type: 'walk',
        starts_at: at(9, 9),
        ends_at: at(9, 16),
        description: '<p>Tempo pohodové, <i>12 km</i>. Vlak z Masarykova nádraží v 8.25.</p>',
        location_name: 'Krabčice',
        latitude: 50.3866,
        longitude: 14.2893,
        join_mode: 'request',
        participants: [{ user: DEMO_USER, status: 'requested' }],
      },
      {
        key: 'koncert',
        organizer: 'ondrej-cerny',
        title: 'Sklepní koncert kapely Mlha',
        type: 'culture',
        starts_at: at(12, 20),
        description: '<p>Vstup jen s kódem, kapacita sklepa je malá.</p>',
        location_name: 'Vzorkovna',
        location_address: 'Národní 11, Praha 1',
        latitude: 50.0819,
        longitude: 14.4153,
        join_mode: 'tickets',
        max_participants: 40,
        price_czk: 150,
        price_note: 'na místě',
      },
      {
        key: 'volejbal',
        organizer: 'tereza-dvorakova',
        title: 'Beach volejbal pro všechny',
        type: 'sport',
        starts_at: at(3, 17),
        ends_at: at(3, 19),
        location_name: 'Žluté lázně',
        location_address: 'Podolské nábřeží 3, Praha 4',
        latitude: 50.0503,
        longitude: 14.4141,
        max_participants: 12,
        participants: confirmed('petr-svoboda', 'jiri-horak', 'lucie-prochazkova', 'stepan-kucera'),
      },
      {
        key: 'snidane',
        organizer: 'zuzana-vesela',
        title: 'Sousedská snídaně na Letné',
        type: 'food',
        starts_at: at(1, 9),
        ends_at: at(1, 12),
        description: '<ul><li>káva na místě</li><li>pečivo s sebou</li></ul>',
        location_name: 'Letenské sady',
        latitude: 50.0964,
        longitude: 14.4215,
        participants: confirmed(DEMO_USER, 'tereza-dvorakova'),
      },
      {
        key: 'brno',
        organizer: 'jiri-horak',
        title: 'Noční prohlídka brněnského podzemí',
        type: 'culture',
        starts_at: at(15, 21),
        location_name: 'Zelný trh',
        location_address: 'Zelný trh 21, Brno',
        latitude: 49.1924,
        longitude: 16.6089,
        price_czk: 200,
        boosted_until: at(10, 0),
        source: { name: 'Kudy z nudy', url: 'https://www.kudyznudy.cz/' },
      },
      {
        key: 'oslava',
        organizer: DEMO_USER,
        title: 'Narozeniny u Jany',
        type: 'party',
        starts_at: at(20, 19),
        is_public: false,
        join_mode: 'password',
        join_password: 'dortík',
        location_name: 'U mě doma',
        participants: [
          { user: 'petr-svoboda', status: 'pending' },
          { user: 'zuzana-vesela', status: 'confirmed' },
        ],
      },
      {
        key: 'minule',
        organizer: DEMO_USER,
        title: 'Podzimní opékání',
        photos_enabled: true,
        type: 'food',
        starts_at: at(-20, 17),
        location_name: 'Divoká Šárka',
        latitude: 50.0986,
        longitude: 14.3204,
        participants: confirmed('ondrej-cerny', 'lucie-prochazkova'),
      },
      ...calendarEvents(at),
    ],
    puls: pulsPosts((hours) => new Date(now.getTime() - hours * 3_600_000).toISOString()),
  };
}
