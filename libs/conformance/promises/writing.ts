import { randomUUID } from 'node:crypto';
import type { Operation } from '../document';
import { codeOf, type Answer } from '../response-validator';
import type { Session, CallOptions } from '../session';
import { summary } from './admission';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Tests some writes with a new private event of the account. The event is deleted at the end, but counts towards the
 * daily limit on new events. Nothing is tested if this limit is reached, or if the run must not write.
 */
export async function writing(session: Session): Promise<void> {
  const create = session.operation('createEvent');
  const remove = session.operation('deleteEvent');
  if (!session.mayWrite || !create || !remove) return;
  const key = randomUUID();
  const example = create.requestBody?.content['application/json']?.example as Fields;
  const fields = {
    ...example,
    starts_at: '2100-01-01T12:00:00Z',
    ends_at: null,
    is_public: false,
    group: null,
    seeking_company: false,
  };
  const created = await session.call(create, { json: fields, headers: { 'idempotency-key': key } });
  if (created.status === 429) return;
  const id = (dataOf(created)['id'] ?? '') as string;
  session.expect(created.status === 201 && id !== '', create.id, `is ${summary(created)}, not 201`);
  if (id === '') return;
  try {
    await retries(session, create, fields, key, created);
    await changes(session, id);
    await commentsAndExpenses(session, id);
  } finally {
    const deleted = await session.call(remove, { pathValues: { id } });
    session.expect(deleted.status === 204, remove.id, `is ${summary(deleted)}, not 204`);
  }
  const repeated = await session.call(remove, { pathValues: { id } });
  session.expect(repeated.status === 404, remove.id, `called a second time is ${summary(repeated)}, not 404`);
}

async function retries(
  session: Session,
  create: Operation,
  fields: Fields,
  key: string,
  created: Answer,
): Promise<void> {
  const repeated = await session.call(create, { json: fields, headers: { 'idempotency-key': key } });
  session.expect(
    repeated.status === 201 && repeated.text === created.text,
    'Idempotency-Key',
    `${create.id} with the same key is ${summary(repeated)}, not the first answer`,
  );
  session.expect(
    repeated.headers.get('idempotency-replayed') === 'true',
    'Idempotency-Key',
    'a repeated answer has no Idempotency-Replayed: true',
  );
  const withAnotherBody = await session.call(create, {
    json: { ...fields, title: 'Another' },
    headers: { 'idempotency-key': key },
  });
  session.expect(
    codeOf(withAnotherBody.body) === 'idempotency_key_reused',
    'Idempotency-Key',
    `the same key with another body is ${summary(withAnotherBody)}, not 422 idempotency_key_reused`,
  );
  const broken = await session.call(create, { json: fields, headers: { 'idempotency-key': '"broken' } });
  session.expect(broken.status === 422, 'Idempotency-Key', `an invalid key is ${summary(broken)}, not 422`);
}

async function changes(session: Session, id: string): Promise<void> {
  const [get, update] = [session.operation('getEvent'), session.operation('updateEvent')];
  if (!get || !update) return;
  const patch = (json: Fields, options: CallOptions = {}): Promise<Answer> =>
    session.call(update, { pathValues: { id }, json, ...options });
  const changed = await patch({ title: '  Conformance  ', description: null });
  const data = dataOf(changed);
  session.expect(
    changed.status === 200 && data['title'] === 'Conformance' && data['description'] === null,
    update.id,
    'does not trim a text, or does not accept null as the new value of a field',
  );
  const read = dataOf(await session.call(get, { pathValues: { id } }));
  session.expect(
    read['title'] === 'Conformance' && read['starts_at'] === '2100-01-01T12:00:00Z',
    get.id,
    'does not return the changed title, or has changed a field that PATCH did not contain',
  );
  const refused = await patch({ title: '', starts_at: 'tomorrow' });
  session.expect(
    refused.status === 422 && ['title', 'starts_at'].every((name) => name in errorsOf(refused)),
    update.id,
    `with two invalid fields is ${summary(refused)}, not 422 on both`,
  );
  const withoutBody = await session.send('PATCH', update.path.replace('{id}', id), {
    headers: { 'content-type': 'application/json' },
  });
  session.expect([200, 422].includes(withoutBody.status), update.id, `without a body is ${summary(withoutBody)}`);
  if (!update.responses['412']) return;
  const stale = await patch({ title: 'Too late' }, { headers: { 'if-match': '"stale"' } });
  session.expect(
    codeOf(stale.body) === 'precondition_failed',
    update.id,
    `with another tag in If-Match is ${summary(stale)}, not 412 precondition_failed`,
  );
  const tag = (await session.call(get, { pathValues: { id } })).headers.get('etag') ?? '';
  const accepted = await patch({ title: 'In time' }, { headers: { 'if-match': tag } });
  session.expect(
    accepted.status === 200,
    update.id,
    `with the current ETag in If-Match is ${summary(accepted)}, not 200`,
  );
}

async function commentsAndExpenses(session: Session, id: string): Promise<void> {
  const [comment, list, expense, expenses] = [
    'commentOnEvent',
    'listEventComments',
    'addEventExpense',
    'getEventExpenses',
  ].map((name) => session.operation(name));
  if (comment && list) {
    const answer = await session.call(comment, { pathValues: { id }, json: { body: '<b>Hello</b>' } });
    session.expect(answer.status === 201, comment.id, `is ${summary(answer)}, not 201`);
    const isCleaned = answer.status !== 201 || dataOf(answer)['body'] === 'Hello';
    session.expect(isCleaned, comment.id, 'returns the text with its HTML');
    const { body } = await session.call(list, { pathValues: { id } });
    session.expect(
      (body as { meta?: { total?: number } } | undefined)?.meta?.total === 1,
      list.id,
      'does not contain the only comment',
    );
  }
  if (expense && expenses) {
    const added = await session.call(expense, { pathValues: { id }, json: { title: 'Tea', amount: 10.5 } });
    session.expect(added.status === 201, expense.id, `is ${summary(added)}, not 201`);
    await session.call(expenses, { pathValues: { id } });
  }
}

function dataOf({ body }: Answer): Fields {
  return ((body ?? {}) as { data?: Fields }).data ?? {};
}

function errorsOf({ body }: Answer): Fields {
  return ((body ?? {}) as { errors?: Fields }).errors ?? {};
}
