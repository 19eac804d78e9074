import { eventBody, type EventOptions } from '#testing/builders';
import { buildSeries, seriesBody } from '#testing/series';
import type { SituationBuilder, SituationFactories, Write } from './situation-builder';

const PLAN = { title: 'Plán', stops: [{ title: 'Stromovka' }] };

export function eventWrites(make: SituationBuilder): SituationFactories {
  const eventWrite = async (
    method: string,
    suffix: string,
    more: Partial<Write> = {},
    options: EventOptions = {},
  ): Promise<Write> => {
    const { host, path } = await make.event(options);
    return { who: host, method, path: `${path}${suffix}`, status: method === 'DELETE' ? 204 : 200, ...more };
  };
  const imageWrite = async (method: string, index: number, suffix = ''): Promise<Write> => {
    const { host, path } = await make.event();
    const ids = await make.images(host, path);
    return {
      who: host,
      method,
      path: `${path}/images/${ids[index] ?? ''}${suffix}`,
      status: method === 'DELETE' ? 204 : 200,
    };
  };
  const seriesWrite = async (method: string, suffix: string, json?: Record<string, unknown>): Promise<Write> => {
    const who = await make.someone();
    const { id } = await buildSeries(make.server, who, { occurrencesLimit: 2 });
    return { who, method, path: `/series/${id}${suffix}`, ...(json && { json }), status: 200 };
  };
  return {
    createEvent: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: '/events',
      json: eventBody(),
      status: 201,
    }),
    updateEvent: () => eventWrite('PATCH', '', { json: { title: 'Jinak' } }),
    deleteEvent: () => eventWrite('DELETE', ''),
    uploadEventImages: () => eventWrite('POST', '/images', { form: [['images[]', make.image]], status: 201 }),
    deleteEventImage: () => imageWrite('DELETE', 0),
    setPrimaryEventImage: () => imageWrite('POST', 1, '/primary'),
    createSeries: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: '/series',
      json: seriesBody({ occurrences_limit: 2 }),
      status: 201,
    }),
    updateSeries: () => seriesWrite('PATCH', '', { title: 'Jinak' }),
    cancelSeries: () => seriesWrite('POST', '/cancel'),
    putEventItinerary: () => eventWrite('PUT', '/itinerary', { json: PLAN, status: 201 }),
    deleteEventItinerary: async () => {
      const { host, path } = await make.event();
      await host.api.put(`${path}/itinerary`, PLAN);
      return { who: host, method: 'DELETE', path: `${path}/itinerary`, status: 204 };
    },
    uploadEventPhotos: () =>
      eventWrite('POST', '/photos', { form: [['photos[]', make.image]], status: 201 }, { photos_enabled: true }),
    deleteEventPhoto: async () => {
      const { host, path } = await make.event({ photos_enabled: true });
      const { body } = await host.api.upload(`${path}/photos`, [
        ['photos[]', new Blob([new Uint8Array(make.image)]), 'a.png'],
      ]);
      return { who: host, method: 'DELETE', path: `${path}/photos/${body.data[0].id as string}`, status: 204 };
    },
  };
}
