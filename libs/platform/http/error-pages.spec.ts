import Fastify from 'fastify';
import { answerError } from './envelope';
import { wantsPage } from './error-pages';
import { Refusal } from './refusal';

// PAGE-21
describe('an error page', () => {
  const isPageUsed = (accept: string | undefined, url = '/nowhere') => wantsPage({ headers: { accept }, url });

  it.each([
    'text/html',
    'TEXT/HTML',
    'text/html;q=0.5',
    'application/xml, text/html ; q=0.9',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  ])('is used if Accept contains text/html: %s', (accept) => {
    expect(isPageUsed(accept)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'text/html;q=0',
    'text/html;q=0.000',
    'text/htmlish',
    'application/xhtml+xml',
  ])('is not used if Accept does not allow text/html explicitly: %s', (accept) => {
    expect(isPageUsed(accept)).toBe(false);
  });

  it.each(['/api', '/api/', '/api/v1/nothing', '/api?x=/', '/%61pi/v1', '/api%2Fv1', '/api/%'])(
    'is never used for a path of the API: %s',
    (url) => {
      expect(isPageUsed('text/html', url)).toBe(false);
    },
  );

  it.each(['/', '/apis', '/web/api', '/%', '/?/api', ''])(
    'is used for all other paths if Accept contains text/html: %s',
    (url) => {
      expect(isPageUsed('text/html', url)).toBe(true);
    },
  );

  it('is replaced by the error envelope if the page cannot be rendered', async () => {
    const fastify = Fastify();
    fastify.decorate('baseUrl', 'http://127.0.0.1');
    fastify.decorate('sendErrorPage', () => Promise.reject(new Error('no database')));
    fastify.get('/gone', (request, reply) => {
      answerError(new Refusal('not_found'), request, reply);
      return reply;
    });
    const answer = await fastify.inject({ url: '/gone', headers: { accept: 'text/html' } });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'not_found']);
    await fastify.close();
  });
});
