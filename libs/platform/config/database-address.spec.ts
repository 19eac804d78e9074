import { databaseAddress, databaseUrl, withDatabase } from './database-address';
import { EnvironmentReader } from './environment';

// OPS-70
describe('the URL of a database', () => {
  const hostsAndPorts = (url: string) => databaseAddress(url)?.servers.map(({ host, port }) => `${host} ${port}`);

  it.each([
    ['postgres://u:p@h1:5433,h2/db', ['h1 5433', 'h2 5432']],
    [
      'postgresql://u:p%40x@10.0.0.1,[::1]:6000,h3:7000/db?sslmode=require&target_session_attrs=read-write',
      ['10.0.0.1 5432', '::1 6000', 'h3 7000'],
    ],
    ['postgres://u:p@x@h1,h2', ['h1 5432', 'h2 5432']],
    ['postgres://h1,h2?target_session_attrs=primary', ['h1 5432', 'h2 5432']],
    ['postgres://u:p@h1/db?target_session_attrs=read-write', ['h1 5432']],
  ])('may contain several servers or `target_session_attrs`: %s', (url, servers) => {
    expect(hostsAndPorts(url)).toEqual(servers);
  });

  it('is split into one URL per server if it contains several servers; all other parts are unchanged', () => {
    expect(databaseAddress('postgres://u:p@h1:1,h2:2/db?sslmode=require')).toMatchObject({
      url: 'postgres://u:p@h1:1/db?sslmode=require',
      servers: [{ url: 'postgres://u:p@h1:1/db?sslmode=require' }, { url: 'postgres://u:p@h2:2/db?sslmode=require' }],
    });
  });

  it.each([
    ['postgres://u:p@h1:1,h2:2/db?sslmode=require', 'postgres://u:p@h1:1,h2:2/other?sslmode=require'],
    ['postgres://u:p@h1/db', 'postgres://u:p@h1/other'],
    ['postgres://h1?sslmode=require', 'postgres://h1/other?sslmode=require'],
    ['postgresql:///db?host=/run/postgresql', 'postgresql:///other?host=/run/postgresql'],
  ])('becomes the URL of another database on the same servers: %s', (url, other) => {
    expect(withDatabase(url, 'other')).toBe(other);
  });

  it.each([
    'postgres://u:p@h1:5432/db',
    'postgresql://h1',
    'postgres:///db?host=/run/postgresql',
    'postgres://u:p,q@h1/db',
  ])('is not changed if it contains at most one server and no `target_session_attrs`: %s', (url) => {
    expect(databaseAddress(url)).toEqual({ url, servers: [] });
  });

  it.each([
    ['POSTGRES://U:P@H1/Db', 'postgres://U:P@H1/Db'],
    ['PostgreSQL://U:P@h1,h2/Db', 'postgresql://U:P@h1,h2/Db'],
  ])('may have capital letters in its scheme, which becomes lower case: %s', (url, accepted) => {
    const read = new EnvironmentReader({ DATABASE_URL: url });
    expect([databaseUrl(read, 'DATABASE_URL'), read.errors]).toEqual([accepted, []]);
  });

  it.each([
    'postgres://h1,/db',
    'postgres://,h2/db',
    'postgres://h1:x,h2/db',
    'postgres://h1,h2/db?target_session_attrs=standby',
    'postgres://h1/db?target_session_attrs=any',
    'mysql://h1,h2/db',
    'h1,h2',
    'postgres://u:secret@h1,h%2/db',
  ])('is refused if it is invalid, with an error that does not contain the URL: %s', (url) => {
    const read = new EnvironmentReader({ DATABASE_URL: url });
    expect(databaseUrl(read, 'DATABASE_URL')).toBeNull();
    expect(read.errors).toEqual([
      'DATABASE_URL must be like postgres://user:password@10.0.0.1:5432,10.0.0.2:5432/events?target_session_attrs=read-write.',
    ]);
  });
});
