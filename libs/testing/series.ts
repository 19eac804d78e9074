import { newSeries, Series } from '#areas/series/series.entity';
import { generationHorizon } from '#areas/series/recurrence';
import { OccurrencesCommands } from '#areas/events/occurrences.commands';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import type { EventTemplateDto } from '#areas/events/event.dto';
import type { ParticipationState } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import { soon } from './times';
import type { Answer } from './http-client';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** A valid body of POST /series. `overrides` replaces or adds fields. */
export function seriesBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { title: 'Běhání v Oboře', starts_at: soon(1), frequency: 'weekly', ...overrides };
}

/** An occurrence as the API returns it. The fields that tests read most often have their own types. */
export interface OccurrenceSeen {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly starts_at: string;
  readonly ends_at: string | null;
  readonly parent_event: string | null;
  readonly [field: string]: unknown;
}

export interface SeriesOptions
  extends
    EventTemplateDto,
    Partial<Pick<Series, 'startsAt' | 'frequency' | 'interval' | 'until' | 'occurrencesLimit' | 'durationMinutes'>> {
  /** Maximum number of occurrences that are created together with the series. */
  readonly atMost?: number;
}

/**
 * Creates a series with its first occurrences, without the API, so that limits do not apply and the series may be in
 * the past.
 */
export async function buildSeries(
  server: TestServer,
  organizer: Person,
  options: SeriesOptions = {},
): Promise<{ id: string; seriesId: number }> {
  const now = server.clock.now();
  const {
    startsAt = new Date(now.getTime() + 86_400_000),
    frequency = 'weekly',
    interval = 1,
    until = null,
    occurrencesLimit = null,
    durationMinutes = null,
    atMost,
    ...fields
  } = options;
  const occurrences = server.app.get(OccurrencesCommands);
  const template = occurrences.template(organizer.userId, { title: 'Běhání v Oboře', ...fields });
  const rule = { startsAt, frequency, interval, until, occurrencesLimit, durationMinutes };
  const seriesId = await server.database.transaction(async (tx) => {
    const series = newSeries({ organizerId: organizer.userId, template, ...rule }, now);
    const generated = series.generate(generationHorizon(now), atMost);
    const { id } = await tx.manager.save(Series, series);
    await occurrences.create(tx, [{ seriesId: id, organizerId: organizer.userId, template, occurrences: generated }]);
    return id;
  });
  return { seriesId, id: server.app.get(PublicIds).encode('series', seriesId) };
}

/**
 * Reads the occurrences of a series through the API, ordered by start. `scope` is the query parameter of the request;
 * if `scope` is empty, all occurrences are read.
 */
export async function occurrencesOf(person: Person, seriesId: string, scope = ''): Promise<OccurrenceSeen[]> {
  const occurrences: OccurrenceSeen[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { body } = await person.api.get(
      `/series/${seriesId}/events?per_page=100&page=${page}${scope && `&scope=${scope}`}`,
    );
    occurrences.push(...(body.data as OccurrenceSeen[]));
    last = body.meta.last_page;
  }
  return occurrences;
}

/** Writes the state of a person's participation in an event directly, without the rules for transitions. */
export async function setParticipation(
  server: TestServer,
  eventId: string,
  person: Person,
  status: ParticipationState,
): Promise<void> {
  const id = server.app.get(PublicIds).decodeEvent(eventId) ?? 0;
  await server.database.transaction((tx) =>
    server.app.get(ParticipationCommands).setParticipation(tx, id, person.userId, { status, checkedInAt: null }),
  );
}

/** Makes people confirmed participants of an event. */
export async function confirm(server: TestServer, eventId: string, ...people: Person[]): Promise<void> {
  for (const person of people) await setParticipation(server, eventId, person, 'confirmed');
}

/** Checks that the answer is a 422 `validation_failed`, and returns the names of the fields in its `errors`. */
export function refusedFields({ status, body }: Answer): string[] {
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
  return Object.keys(body.errors as object);
}
