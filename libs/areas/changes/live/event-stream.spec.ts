import { asksForStream } from './event-stream';

// CHG-12
describe('a GET request', () => {
  it.each([
    ['text/event-stream', true],
    ['TEXT/Event-Stream', true],
    ['text/event-stream; charset=utf-8', true],
    ['application/json,text/event-stream', true],
    ['text/event-stream;q=0.9, application/json; charset=utf-8', false],
    ['text/event-stream, application/json;q=0.9', true],
    ['text/event-stream, */*', true],
    ['text/event-stream;q=0.5, application/*', true],
    ['text/event-stream;q=0.001', true],
    ['text/event-stream;q=0', false],
    ['text/event-stream; q=0.000', false],
    ['text/event-stream; charset=utf-8; Q=0', false],
    ['application/json;q=0, text/event-stream', true],
    ['text/event-stream;q=0, application/json', false],
    ['application/json, text/event-stream;q=0.5', false],
    ['text/*', false],
    ['*/*', false],
    ['', false],
    [undefined, false],
  ])(
    'with the Accept header %j asks for a stream: %s; a HEAD request with this header never does',
    (accept, expected) => {
      expect(asksForStream({ method: 'GET', headers: { accept } })).toBe(expected);
      expect(asksForStream({ method: 'HEAD', headers: { accept } })).toBe(false);
    },
  );
});
