import { randomUUID } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Refusal } from '#platform/http/refusal';
import type { Answer } from '#testing/http-client';
import { clientOf } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { databaseDigest, sendWrite as send, WRITES } from './situations/sending';
import { Situations } from './situations/situations';

const KEY = 'idempotency-key';
/**
 * Refuses a request with the header `x-fault: conflict` after its handler has run. The transaction must be rolled back.
 */
@Injectable()
class LateRefusal implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const fault = context.switchToHttp().getRequest<FastifyRequest>().headers['x-fault'];
    return next.handle().pipe(
      map((answer: unknown) => {
        if (fault === 'conflict') throw new Refusal('conflict');
        return answer;
      }),
    );
  }
}

const replayed = (answer: Answer): boolean => answer.headers.get('idempotency-replayed') === 'true';

describe('every write operation', () => {
  let server: TestServer;
  let situations: Situations;

  beforeAll(async () => {
    server = await TestServer.start({}, (app) => app.useGlobalInterceptors(new LateRefusal()));
    situations = await Situations.create(server);
  });
  afterAll(() => server.stop());

  const digest = () => databaseDigest(server);

  it('has a situation in which it succeeds (class Situations)', () => {
    expect(WRITES.filter((operation) => !situations.knows(operation))).toEqual([]);
    expect(WRITES.length).toBeGreaterThan(50);
  });

  describe.each(WRITES)('%s', (operation) => {
    // RETRY-3, RETRY-4, RETRY-6, RETRY-9
    it('returns the stored response when the same account repeats the request with the same content and access level', async () => {
      const write = await situations.prepare(operation);
      const { who } = write;
      const headers = { [KEY]: randomUUID() };
      const first = await send(who, write, headers);
      expect([operation, first.status, first.text, replayed(first)]).toEqual([
        operation,
        write.status,
        first.text,
        false,
      ]);
      const readOnlyToken = await situations.readOnlyTokenOf(who);
      const before = await digest();

      const again = await send(who, write, headers);
      expect([again.status, again.text, replayed(again)]).toEqual([first.status, first.text, true]);
      for (const header of ['location', 'content-type'])
        expect(again.headers.get(header)).toBe(first.headers.get(header));
      expect(again.headers.get('etag')).toBeNull();

      const { form } = write;
      const other = form
        ? { ...write, form: [...form, ['unknown', 'x'] as const] }
        : { ...write, json: { ...write.json, unknown: 1 } };
      for (const changed of [
        other,
        { ...write, path: `${write.path}${write.path.includes('?') ? '&' : '?'}unknown=1` },
      ]) {
        const refused = await send(who, changed, headers);
        expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_key_reused']);
      }

      const readOnly = await send({ ...who, api: clientOf(server, readOnlyToken) }, write, headers);
      expect([readOnly.status, readOnly.body.code]).toEqual([403, 'insufficient_scope']);
      expect(await digest()).toBe(before);

      const stranger = await send(situations.stranger, write, headers);
      expect([replayed(stranger), stranger.body?.code === 'idempotency_key_reused']).toEqual([false, false]);
    });

    // RETRY-5
    it('changes nothing when it is refused, and runs again when the request is repeated with the same key', async () => {
      const write = await situations.prepare(operation);
      const headers = { [KEY]: randomUUID() };
      const before = await digest();
      const refused = await send(write.who, write, { ...headers, 'x-fault': 'conflict' });
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
      expect(await digest()).toBe(before);
      const done = await send(write.who, write, headers);
      expect([done.status, replayed(done)]).toEqual([write.status, false]);
    });

    // RETRY-3, RETRY-7
    it('runs only once when two requests with the same key arrive at the same time', async () => {
      const write = await situations.prepare(operation);
      const headers = { [KEY]: randomUUID() };
      const answers = await Promise.all([send(write.who, write, headers), send(write.who, write, headers)]);
      const [processed, ...others] = [...answers].sort(
        (one, other) => Number(replayed(one)) - Number(replayed(other)) || one.status - other.status,
      ) as [Answer, Answer];
      expect([processed.status, replayed(processed)]).toEqual([write.status, false]);
      for (const other of others) {
        if (other.status === 409) expect(other.body.code).toBe('request_in_progress');
        else expect([other.status, other.text, replayed(other)]).toEqual([processed.status, processed.text, true]);
      }
    });
  });
});
