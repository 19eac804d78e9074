import type { INestApplicationContext } from '@nestjs/common';
import { CommentsCommands } from '#areas/comments/comments.commands';
import type { Subject } from '#areas/comments/subject';
import { OccurrencesCommands } from '#areas/events/occurrences.commands';
import { newExpense, storeExpense } from '#areas/expenses/expense.entity';
import { GalleryPhoto, newPhoto } from '#areas/gallery/gallery-photo.entity';
import { Itinerary, newItinerary } from '#areas/itinerary/itinerary.entity';
import { generationHorizon } from '#areas/series/recurrence';
import { newSeries, Series } from '#areas/series/series.entity';
import type { Transaction } from '#platform/database/database';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import { Pictures, type Picture } from '#platform/media/pictures';
import { Clock } from '#platform/time/clock';
import { drawLandscape } from './demo-pictures';
import { pragueHour } from './demo-times';

/** Ids of the demo's people by their slugs. */
export type DemoPeople = ReadonlyMap<string, number>;

/** A photo of the gallery, with the slug of its author. */
type DemoPhoto = Picture & { readonly author: string };

/** A thread of comments on an event or a post: author and text of the first comment, then the replies. */
type Thread = readonly [author: string, body: string, ...replies: (readonly [author: string, body: string])[]];

export const EVENT_THREADS: readonly Thread[] = [
  [
    'petr-svoboda',
    'Mám vzít reproduktor?',
    ['jana-novakova', 'Rozhodně!'],
    ['zuzana-vesela', 'Jen ne nahlas, jsou tam děti.'],
  ],
  ['tereza-dvorakova', 'Přivedu ještě sestru, jestli to nevadí.', ['jana-novakova', 'Čím víc, tím líp.']],
  ['lucie-prochazkova', 'Kde přesně u planetária?'],
];
export const POST_THREADS: readonly Thread[] = [
  [
    'stepan-kucera',
    'Díky za tip na autobus, jedeme v létě.',
    ['ondrej-cerny', 'Berte ten ranní, odpoledne bývá plný.'],
  ],
  ['jana-novakova', 'Krásně napsané.'],
];

export async function loadThreads(
  app: INestApplicationContext,
  tx: Transaction,
  people: DemoPeople,
  subject: Subject,
  threads: readonly Thread[],
): Promise<void> {
  const comments = app.get(CommentsCommands);
  const addComment = async (author: string, body: string, parentId: number | null): Promise<number> =>
    Number(
      (await comments.addComment(tx, subject, { authorId: idIn(people, author), body, imageKey: null, parentId })).id,
    );
  for (const [author, body, ...replies] of threads) {
    const root = await addComment(author, body, null);
    for (const [replier, reply] of replies) await addComment(replier, reply, root);
  }
}

/** Jana's series: people run together every week, from tomorrow evening on. */
export async function loadSeries(app: INestApplicationContext, tx: Transaction, people: DemoPeople): Promise<void> {
  const now = app.get(Clock).now();
  const organizerId = idIn(people, 'jana-novakova');
  const startsAt = pragueHour(now, 1, 18);
  const template = app.get(OccurrencesCommands).template(organizerId, {
    title: 'Běhání v Oboře',
    type: 'sport',
    is_public: true,
    description: '<p>Každý týden, lehké tempo, <b>dva okruhy</b>.</p>',
    location_name: 'Obora Hvězda',
    latitude: 50.0839,
    longitude: 14.3256,
    max_participants: 15,
  });
  const series = newSeries(
    {
      organizerId,
      startsAt,
      frequency: 'weekly',
      interval: 1,
      until: null,
      occurrencesLimit: null,
      durationMinutes: 90,
      template,
    },
    now,
  );
  const occurrences = series.generate(generationHorizon(now));
  const { id } = await tx.manager.save(Series, series);
  await app.get(OccurrencesCommands).create(tx, [{ seriesId: id, organizerId, template, occurrences }]);
}

/** Expenses of the past barbecue, in crowns and in euros. */
export async function loadExpenses(
  app: INestApplicationContext,
  tx: Transaction,
  people: DemoPeople,
  eventId: number,
): Promise<void> {
  const createdAt = app.get(Clock).now();
  const everybody = ['jana-novakova', 'lucie-prochazkova', 'ondrej-cerny'];
  for (const [title, cents, currency, paidBy, sharers] of [
    ['Maso a pečivo', 84_000, 'CZK', 'jana-novakova', everybody],
    ['Dřevo', 25_000, 'CZK', 'ondrej-cerny', everybody],
    ['Víno', 39_900, 'CZK', 'lucie-prochazkova', ['jana-novakova', 'lucie-prochazkova']],
    ['Sýr z Vídně', 1_890, 'EUR', 'lucie-prochazkova', everybody],
  ] as const) {
    const expense = newExpense({ eventId, title, cents, currency, paidBy: idIn(people, paidBy), createdAt });
    expense.divideAmong(sharers.map((slug) => idIn(people, slug)));
    await storeExpense(tx, expense);
  }
}

export async function loadItinerary(app: INestApplicationContext, tx: Transaction, eventId: number): Promise<void> {
  const stop = (
    title: string,
    location_name: string,
    latitude: number,
    longitude: number,
    duration_minutes: number,
    notes: string | null = null,
  ) => ({
    title,
    notes,
    location_name,
    latitude,
    longitude,
    duration_minutes,
  });
  await tx.manager.insert(
    Itinerary,
    newItinerary(
      eventId,
      {
        title: 'Den na Řípu',
        description: 'Vlakem tam, pěšky nahoru, vlakem zpátky.',
        isPublic: true,
        stops: [
          stop('Sraz u pokladen', 'Masarykovo nádraží', 50.0878, 14.4337, 20, 'Vlak jede v 8.25.'),
          stop('Výstup', 'Krabčice', 50.3866, 14.2893, 90),
          stop('Oběd u rotundy', 'Říp', 50.3868, 14.2892, 60, 'Jídlo s sebou.'),
        ],
      },
      app.get(Clock).now(),
    ),
  );
}

/** Draws the photos of the barbecue: a small landscape for each of three people. */
export async function drawGallery(app: INestApplicationContext, folder: string): Promise<DemoPhoto[]> {
  const photos: DemoPhoto[] = [];
  for (const author of ['jana-novakova', 'ondrej-cerny', 'lucie-prochazkova']) {
    const path = await drawLandscape(folder, `opekani-${author}`, { width: 480, height: 320 });
    photos.push({ ...(await app.get(Pictures).make({ path, field: author })), author });
  }
  return photos;
}

export async function loadGallery(
  app: INestApplicationContext,
  tx: Transaction,
  people: DemoPeople,
  eventId: number,
  photos: readonly Stored<DemoPhoto>[],
): Promise<void> {
  await app.get(MediaFiles).keep(
    tx,
    photos.map(({ key }) => key),
  );
  const now = app.get(Clock).now();
  await tx.manager.insert(
    GalleryPhoto,
    photos.map((photo) => newPhoto(eventId, idIn(people, photo.author), photo, now)),
  );
}

export function idIn(people: DemoPeople, slug: string): number {
  const id = people.get(slug);
  if (id === undefined) throw new Error(`the demo has no person with the slug ${slug}`);
  return id;
}
