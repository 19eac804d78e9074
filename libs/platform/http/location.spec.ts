import { routeOfCreated } from './location';

const ROUTES = [
  '/api/v1/events',
  '/api/v1/events/:id',
  '/api/v1/events/:id/expenses',
  '/api/v1/events/:id/comments',
  '/api/v1/posts/:slug/comments',
  '/api/v1/reports',
  '/api/v1/posts',
  '/api/v1/posts/:slug',
  '/api/v1/webhooks',
  '/api/v1/webhooks/:id',
  '/api/v1/webhooks/:id/deliveries',
];

describe('the GET route of the resource that a POST creates', () => {
  // RETRY-25
  it.each([
    ['/api/v1/events', '/api/v1/events/:id'],
    ['/api/v1/posts', '/api/v1/posts/:slug'],
    ['/api/v1/webhooks', '/api/v1/webhooks/:id'],
    ['/api/v1/events/:id/expenses', null],
    ['/api/v1/events/:id/comments', null],
    ['/api/v1/posts/:slug/comments', null],
    ['/api/v1/reports', null],
    ['/api/v1/events/:id/join', null],
  ])('for a POST to %s is %s', (route, created) => {
    expect(routeOfCreated(route, ROUTES)).toBe(created);
  });
});
