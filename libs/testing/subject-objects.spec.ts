import type { Person } from './people';
import { expectedObject } from './subject-objects';
import type { TestServer } from './test-server';
import type { Entry } from './feed';

describe('the expected object of an entry', () => {
  it.each(['expense', 'event', 'comment'])('is undefined if the response for the %s has no `data`', async (type) => {
    const answer = { statusCode: 404, headers: {}, payload: '{"code":"not_found"}' };
    const app = { getHttpAdapter: () => ({ getInstance: () => ({ inject: async () => answer }) }) };
    const path = type === 'event' ? '' : `/${type}s`;
    const entry = {
      type: `${type}.updated`,
      subject: { type, id: 'bYtQzWvn', url: `https://events.example/api/v1/events/gYwKqVxB${path}` },
    };
    const object = expectedObject(
      { app } as unknown as TestServer,
      { token: 'evt_' } as Person,
      entry as unknown as Entry,
    );
    expect(await object).toBeUndefined();
  });
});
