import { DEMO_SLUGS } from './demo-people';

/** Places of the demo: name, latitude, longitude. */
const PLACES = {
  letna: ['Letenské sady', 50.0964, 14.4215],
  zizkov: ['Čajovna U Cesty', 50.0829, 14.4497],
  kampa: ['Kampa', 50.0842, 14.4075],
  vysehrad: ['Vyšehrad', 50.0643, 14.4178],
  karlin: ['Kasárna Karlín', 50.0922, 14.4512],
  holesovice: ['Holešovická tržnice', 50.1001, 14.4452],
  riegrovy: ['Riegrovy sady', 50.0803, 14.4414],
  naplavka: ['Náplavka', 50.0716, 14.4141],
  divoka: ['Divoká Šárka', 50.0986, 14.3204],
  ladronka: ['Ladronka', 50.0786, 14.3566],
  dejvice: ['Dejvice', 50.1003, 14.3959],
  smichov: ['Smíchov', 50.0705, 14.4037],
  brno: ['Špilberk, Brno', 49.1946, 16.5998],
  plzen: ['Papírna, Plzeň', 49.7513, 13.3857],
  karlstejn: ['Karlštejn', 49.9394, 14.1883],
} as const satisfies Record<string, readonly [string, number, number]>;

const [JANA, PETR, TEREZA, ONDREJ, LUCIE, STEPAN, ZUZANA, JIRI] = DEMO_SLUGS;

type Row = readonly [
  title: string,
  type: string,
  days: number,
  hour: number,
  place: keyof typeof PLACES,
  organizer: string,
  description: string,
];

/** Ordinary events in the coming weeks, and two past events. `days` is relative to the current day. */
const ROWS: readonly Row[] = [
  ['Ranní běh podél Vltavy', 'sport', 1, 6, 'naplavka', STEPAN, 'Pět kilometrů, nikoho nenecháme vzadu.'],
  ['Káva a angličtina', 'work', 1, 17, 'dejvice', TEREZA, 'Povídáme si anglicky, úroveň nerozhoduje.'],
  ['Jóga v parku', 'sport', 2, 7, 'riegrovy', ZUZANA, 'Vezměte si podložku a vodu.'],
  ['Večeře u čínského stolu', 'food', 2, 19, 'holesovice', LUCIE, 'Osm lidí, osm jídel, všichni ochutnají všechno.'],
  ['Kurz šití pro začátečníky', 'other', 3, 16, 'zizkov', LUCIE, 'Odejdete s vlastní taškou.'],
  ['Promítání na dvoře', 'culture', 3, 20, 'karlin', ONDREJ, 'Krátké filmy studentů, deky na místě.'],
  ['Drink na Náplavce', 'drink', 4, 18, 'naplavka', PETR, 'Potkáme se u lodi s modrou střechou.'],
  ['Frisbee na Ladronce', 'sport', 4, 16, 'ladronka', STEPAN, 'Disky mám, stačí přijít.'],
  ['Swap oblečení', 'other', 5, 14, 'karlin', ZUZANA, 'Přineste, co nenosíte, odneste, co se líbí.'],
  ['Trh a společné vaření', 'food', 5, 9, 'holesovice', JANA, 'Nakoupíme podle sezony a uvaříme u mě.'],
  ['Kreslení v plenéru', 'culture', 5, 13, 'kampa', TEREZA, 'Tužky, akvarel i první pokusy.'],
  ['Šachy pod kaštany', 'game', 6, 15, 'letna', JIRI, 'Rychlé partie na pět minut.'],
  ['Procházka po funkcionalismu', 'walk', 6, 10, 'dejvice', ONDREJ, 'Baba a okolí, asi tři hodiny.'],
  ['Kvíz v hospodě', 'game', 7, 19, 'smichov', PETR, 'Hledáme čtvrtého do týmu, ideálně na sport.'],
  ['Coworking v knihovně', 'work', 7, 9, 'dejvice', JANA, 'Dvě hodiny ticha, pak oběd.'],
  ['Lezení na stěně', 'sport', 8, 18, 'smichov', STEPAN, 'Půjčovna na místě, jistit naučím.'],
  ['Swingová tančírna', 'party', 8, 20, 'vysehrad', LUCIE, 'V osm základní kroky, v devět kapela.'],
  ['Večer krátkých povídek', 'culture', 9, 19, 'zizkov', JANA, 'Každý přečte nejvýš pět minut.'],
  ['Badminton', 'sport', 9, 18, 'holesovice', JIRI, 'Dva kurty, rakety půjčím.'],
  ['Grilování u rybníka', 'food', 10, 16, 'divoka', PETR, 'Maso i zelenina, nápoje s sebou.'],
  ['Fotoprocházka v modré hodině', 'walk', 10, 19, 'kampa', ONDREJ, 'Stačí telefon.'],
  ['Turnaj ve stolním fotbale', 'game', 11, 19, 'smichov', STEPAN, 'Dvojice losujeme na místě.'],
  ['Úklid Divoké Šárky', 'other', 12, 10, 'divoka', ZUZANA, 'Pytle a rukavice dostanete.'],
  ['Degustace moravských vín', 'drink', 12, 18, 'vysehrad', JIRI, 'Šest vzorků od malých vinařů.'],
  ['Na kole na Karlštejn', 'sport', 13, 9, 'karlstejn', STEPAN, 'Po cyklostezce, zpátky vlakem.'],
  ['Koncert v plzeňské Papírně', 'culture', 14, 20, 'plzen', ONDREJ, 'Jedeme společně vlakem v pět.'],
  ['Brněnské kavárny za jeden den', 'food', 14, 10, 'brno', TEREZA, 'Čtyři zastávky, jedno město.'],
  ['Improvizační divadlo: dílna', 'culture', 15, 17, 'karlin', TEREZA, 'Bez přípravy, to je celé.'],
  ['Společný brunch', 'food', 16, 11, 'letna', ZUZANA, 'Každý přinese jednu věc.'],
  ['Noční bruslení', 'sport', 17, 20, 'ladronka', PETR, 'Světla a helmu prosím.'],
  ['Hra na piano pro čtyři ruce', 'culture', 18, 18, 'vysehrad', LUCIE, 'Noty půjčím.'],
  ['Programátorské pivo', 'drink', 19, 18, 'karlin', JIRI, 'O práci jen první půlhodinu.'],
  ['Houbařská vycházka', 'walk', 21, 8, 'karlstejn', ONDREJ, 'S mykologem, košík nutný.'],
  ['Karaoke', 'party', 22, 20, 'zizkov', TEREZA, 'I pro ty, kdo nezpívají.'],
  ['Výlet na Okoř', 'walk', -6, 10, 'divoka', LUCIE, 'Bylo krásně.'],
  ['Zimní plavání', 'sport', -12, 9, 'naplavka', STEPAN, 'Voda měla čtyři stupně.'],
];

const EVERYBODY = [JANA, PETR, TEREZA, ONDREJ, LUCIE, STEPAN, ZUZANA, JIRI];

/** The events of `ROWS` for an `apply` document, each with one to three participants. */
export function calendarEvents(at: (days: number, hour: number) => string): object[] {
  return ROWS.map(([title, type, days, hour, place, organizer, description], row) => {
    const [location_name, latitude, longitude] = PLACES[place];
    const guests = [1, 3, 6]
      .slice(row % 2)
      .map((step) => EVERYBODY[(row + step) % EVERYBODY.length])
      .filter((slug) => slug !== organizer);
    return {
      key: `kalendar-${row}`,
      organizer,
      title,
      type,
      starts_at: at(days, hour),
      is_public: true,
      location_name,
      latitude,
      longitude,
      max_participants: 6 + (row % 5) * 4,
      description: `<p>${description}</p>`,
      participants: guests.map((user) => ({ user, status: 'confirmed' })),
    };
  });
}

/** Puls posts (short local posts) of the last hours in Prague, at most one per person. */
export function pulsPosts(at: (hoursAgo: number) => string): object[] {
  return (
    [
      [TEREZA, 'Na Letné právě <b>hraje kapela</b>, přijďte!', 50.0964, 14.4215, 'Letná', 2],
      [ONDREJ, 'Ztratil se zelený batoh u metra Anděl. Našel ho někdo?', 50.0705, 14.4037, 'Anděl', 3],
      [LUCIE, 'Dávám pryč sazenice rajčat, stačí si přijít.', 50.0922, 14.4512, 'Karlín', 5],
      [STEPAN, 'Chybí nám jeden na volejbal v pět.', 50.0503, 14.4141, 'Žluté lázně', 6],
      [ZUZANA, 'Kavárna na rohu má dnes <i>koláče za půlku</i>.', 50.1003, 14.3959, 'Dejvice', 8],
      [JIRI, 'Pozor, náplavka je kvůli vodě zavřená.', 50.0716, 14.4141, 'Náplavka', 10],
    ] as const
  ).map(([author, body, latitude, longitude, location_name, hours]) => ({
    author,
    body,
    latitude,
    longitude,
    location_name,
    created_at: at(hours),
  }));
}
