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

  // RETRY-3, RETRY-4, RETRY-5, RETRY-6, RETRY-7, RETRY-9
  it.each(WRITES)(
    '%s changes nothing when it is refused, runs once for each key, and returns the stored response when it is repeated',
    async (operation) => {
      const write = await situations.prepare(operation);
      const { who } = write;
      const headers = { [KEY]: randomUUID() };
      const beforeRefusal = await digest();
      const fault = await send(who, write, { ...headers, 'x-fault': 'conflict' });
      expect([fault.status, fault.body.code]).toEqual([409, 'conflict']);
      expect(await digest()).toBe(beforeRefusal);

      const answers = await Promise.all([send(who, write, headers), send(who, write, headers)]);
      const [first, simultaneous] = [...answers].sort(
        (one, other) => Number(replayed(one)) - Number(replayed(other)) || one.status - other.status,
      ) as [Answer, Answer];
      expect([first.status, first.text, replayed(first)]).toEqual([write.status, first.text, false]);
      if (simultaneous.status === 409) expect(simultaneous.body.code).toBe('request_in_progress');
      else
        expect([simultaneous.status, simultaneous.text, replayed(simultaneous)]).toEqual([
          first.status,
          first.text,
          true,
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
    },
  );
});
