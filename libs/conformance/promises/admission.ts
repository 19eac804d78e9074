import { codeOf, type Answer } from '../response-validator';
import type { Session } from '../session';

const UNKNOWN_ID = 'zzzzzzzzzzzz';

/**
 * Tests that every operation answers 401 to a request without a token, even if the id in the path is unknown. Also
 * tests a wrong token, an unknown path, and a method that a known path does not have.
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
  const withWrongToken = await session.send('GET', '/api/v1/user', { token: 'evt_wrong' });
  session.expect(withWrongToken.status === 401, 'a wrong token', `is ${summary(withWrongToken)}, not 401`);
  const unknownPath = await session.send('GET', '/api/v1/nothing-here');
  session.expect(
    unknownPath.status === 404 && codeOf(unknownPath.body) === 'not_found',
    'an unknown path',
    `is ${summary(unknownPath)}, not 404 not_found`,
  );
  session.expect(
    /rel="?help/.test(unknownPath.headers.get('link') ?? ''),
    'an unknown path',
    'has no Link to a page about its code',
  );
  const unknownMethod = await session.send('PATCH', '/api/v1/user', { json: {} });
  session.expect(
    unknownMethod.status === 405 && codeOf(unknownMethod.body) === 'method_not_allowed',
    'an unknown method',
    `is ${summary(unknownMethod)}, not 405 method_not_allowed`,
  );
  session.expect((unknownMethod.headers.get('allow') ?? '').includes('GET'), 'an unknown method', 'has no Allow');
}

/**
 * Tests that an unknown id in the path results in 404 before the body is validated. Only operations whose body is not
 * JSON (uploads) may also answer 422. If the session must not write, only GET operations are tested.
 */
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
