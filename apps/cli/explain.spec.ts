import { ServiceBusy } from '#platform/capacity/service-busy';
import { reasonOf } from '#platform/text/reason';
import { explain } from './explain';

// OPS-15, OPS-97
describe('the reason of an error', () => {
  const refused = Object.assign(
    new AggregateError([new Error('connect ECONNREFUSED ::1:9000'), new Error('connect ECONNREFUSED 127.0.0.1:9000')]),
    { code: 'ECONNREFUSED' },
  );

  it('contains the message for each address if a host has several addresses', () => {
    const reasons = 'connect ECONNREFUSED ::1:9000; connect ECONNREFUSED 127.0.0.1:9000';
    expect(reasonOf(refused)).toBe(reasons);
    expect(explain(new ServiceBusy(1, null, refused))).toBe(`the service is busy ${reasons}`);
    expect(explain(refused)).toContain(reasons);
  });

  it('is the message of the error; if the message is empty, it is the code or the name of the error', () => {
    expect(reasonOf(new Error('no'))).toBe('no');
    expect(reasonOf(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
    expect(reasonOf(new RangeError())).toBe('RangeError');
  });
});
