import { codeOf, type Answer } from '../judge';
import type { Session } from '../session';

const UNKNOWN_ID = 'zzzzzzzzzzzz';

/**
 * Tests that every operation answers 401 without a token, before any other refusal. Tests unknown paths, methods and
 * resources too.
 */
export async function admission(session: Session): Promise<void> {
  for (const operation of session.operations) {
    const pathValues = Object.fromEntries(operation.pathNames.map((name) => [name, UNKNOWN_ID]));
    const answer = await session.call(operation, { pathValues, token: null });
    session.expect(
      answer.status === 401 && codeOf(answer.body) === 'unauthenticated',
      operation.id,
      `without a token is ${summary(answer)}, not 401 unauthenticated`,
    );
  }
  const wrong = await session.send('GET', '/api/v1/user', { token: 'evt_wrong' });
  session.expect(wrong.status === 401, 'a wrong token', `is ${summary(wrong)}, not 401`);
  const unknown = await session.send('GET', '/api/v1/nothing-here');
  session.expect(
    unknown.status === 404 && codeOf(unknown.body) === 'not_found',
    'an unknown path',
    `is ${summary(unknown)}, not 404 not_found`,
  );
  session.expect(
    /rel="?help/.test(unknown.headers.get('link') ?? ''),
    'an unknown path',
    'has no Link to a page about its code',
  );
  const method = await session.send('PATCH', '/api/v1/user', { json: {} });
  session.expect(
    method.status === 405 && codeOf(method.body) === 'method_not_allowed',
    'an unknown method',
    `is ${summary(method)}, not 405 method_not_allowed`,
  );
  session.expect((method.headers.get('allow') ?? '').includes('GET'), 'an unknown method', 'has no Allow');
}

/** An unknown resource results in 404 before the body is validated. */
export async function unknownResources(session: Session): Promise<void> {
  for (const operation of session.operations.filter(
    ({ pathNames, method }) => pathNames.length > 0 && (session.mayWrite || method === 'GET'),
  )) {
    const pathValues = Object.fromEntries(operation.pathNames.map((name) => [name, UNKNOWN_ID]));
    const hasJson = operation.requestBody?.content['application/json'] !== undefined;
    const answer = await session.call(operation, { pathValues, ...(hasJson && { json: {} }) });
    if (operation.requestBody && !hasJson)
      session.expect(
        [404, 422].includes(answer.status),
        operation.id,
        `for an unknown id is ${summary(answer)}, not 404 or 422`,
      );
    else session.expect(answer.status === 404, operation.id, `for an unknown id is ${summary(answer)}, not 404`);
  }
}

export function summary({ status, body }: Answer): string {
  return [status, codeOf(body)].filter(Boolean).join(' ');
}
