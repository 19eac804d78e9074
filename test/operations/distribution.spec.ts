import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'distribution.mjs');

const SCHEMA = `CREATE TABLE events (
  id bigint NOT NULL,
  organizer_id bigint NOT NULL,
  slug text,
  CONSTRAINT events_pkey PRIMARY KEY (id),
  CONSTRAINT events_slug_key UNIQUE (slug),
  CONSTRAINT events_organizer FOREIGN KEY (organizer_id) REFERENCES users(id)
);

CREATE TABLE seats (
  event_id bigint NOT NULL,
  user_id bigint NOT NULL,
  kind bigint,
  CONSTRAINT seats_pkey PRIMARY KEY (event_id, user_id) INCLUDE (kind),
  CONSTRAINT seats_event FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  CONSTRAINT seats_kind FOREIGN KEY (kind) REFERENCES kinds(id)
);

CREATE TABLE users (
  id bigint NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE kinds (
  id bigint NOT NULL,
  CONSTRAINT kinds_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX seats_first ON seats USING btree (event_id) WHERE (kind = 1);

CREATE UNIQUE INDEX seats_code ON seats USING btree (kind);

CREATE OR REPLACE FUNCTION count_seats()
 RETURNS trigger
AS $function$ BEGIN UPDATE events SET slug = NULL WHERE id = NEW.event_id; RETURN NULL; END $function$
;

CREATE OR REPLACE FUNCTION greet()
 RETURNS trigger
AS $function$ BEGIN PERFORM say_hello(NEW.user_id); RETURN NULL; END $function$
;

CREATE OR REPLACE FUNCTION say_hello(person bigint)
 RETURNS void
AS $function$ UPDATE users SET id = id WHERE id = $1 $function$
;

CREATE TRIGGER seats_are_counted AFTER INSERT ON seats FOR EACH ROW EXECUTE FUNCTION count_seats();

CREATE TRIGGER seats_greet AFTER INSERT ON seats FOR EACH ROW EXECUTE FUNCTION greet();

CREATE VIEW shown AS
 SELECT e.id FROM events e WHERE (NOT (EXISTS ( SELECT 1 FROM users u WHERE (u.id = e.organizer_id))));
`;
const DISTRIBUTION = {
  events: { column: 'id', kind: 'event', isNew: false },
  seats: { column: 'event_id', kind: 'event', isNew: false },
  users: { column: 'id', kind: 'account', isNew: false },
  kinds: { reference: true },
};
const STATEMENTS = [
  ['SELECT slug FROM events WHERE id = $1', 'one'],
  ['SELECT e.slug FROM events e JOIN seats s ON s.event_id = e.id WHERE e.id = $1', 'one'],
  [
    'SELECT e.slug FROM events e JOIN seats s ON s.event_id = e.id JOIN kinds k ON k.id = s.kind WHERE e.id = $1',
    'one',
  ],
  ['SELECT e.slug FROM events e JOIN seats s ON s.user_id = $2 WHERE e.id = $1', 'every'],
  ['SELECT e.slug FROM events e JOIN seats s ON s.event_id = $2 WHERE e.id = $1', 'every'],
  ['INSERT INTO seats (event_id, user_id) VALUES ($1, $2)', 'one'],
  ['UPDATE seats SET kind = 2 WHERE user_id = $1', 'every'],
  ['SELECT slug FROM events ORDER BY id LIMIT 20', 'every'],
  ['SELECT u.id FROM seats s JOIN users u ON u.id = s.user_id WHERE s.event_id = $1', 'crosses'],
  ['SELECT id FROM kinds', 'coordinator'],
  // If a statement reads a view, the check treats the view as the first table of its definition, here `events`.
  ['SELECT id FROM shown WHERE id = $1', 'one'],
] as const;

interface Found {
  readonly foreignKeys: { name: string; why: string }[];
  readonly uniques: { name: string }[];
  readonly triggers: { name: string; why: string }[];
  readonly views: { name: string }[];
  /**
   * `servers` is `one`, `every` or `coordinator` for the database servers on which the statement runs. It is `crosses`
   * if the tables of the statement have keys of different kinds.
   */
  readonly statements: { text: string; servers: string }[];
}

interface Script {
  parseSchema(sql: string): object;
  tableFaults(schema: object, distribution: object): string[];
  findCrossings(schema: object, distribution: object, statements: readonly { name: string; text: string }[]): Found;
}

const REFUSED = [
  ['a table without an entry', { kinds: undefined }, 'kinds has no entry'],
  [
    'a key that is not a column',
    { users: { column: 'user_id', kind: 'account', isNew: false } },
    'users.user_id is not a column',
  ],
  [
    'an existing column that is marked as new',
    { users: { column: 'id', kind: 'account', isNew: true } },
    'users.id already exists, so it is not new',
  ],
  ['an entry without a table', { places: { reference: true } }, 'places is in scripts/distribution-keys.mjs'],
] as const;

/**
 * Tests `npm run distribution:check`. The distribution key of a row selects the database server that stores the row. In
 * a distribution, `column` is the name of the column with this key, and `kind` is the kind of object that the key
 * identifies. `isNew`: the column does not exist yet. `reference`: every server has a copy of the table.
 */
describe('the check of distribution keys', () => {
  let script: Script;
  let schema: object;
  let found: Found;
  beforeAll(async () => {
    script = (await import(SCRIPT)) as Script;
    schema = script.parseSchema(SCHEMA);
    const statements = STATEMENTS.map(([text]) => ({ name: text, text }));
    expect(script.tableFaults(schema, DISTRIBUTION)).toEqual([]);
    found = script.findCrossings(schema, DISTRIBUTION, statements);
  });

  it('lists the foreign keys, unique indexes, triggers and views that need rows with different distribution keys', () => {
    expect(found.foreignKeys).toEqual([
      { name: 'events_organizer', table: 'events', why: 'refers from event to account (`users`)' },
    ]);
    expect(found.uniques.map(({ name }) => name)).toEqual(['events_slug_key', 'seats_code']);
    expect(found.triggers).toEqual([{ name: 'seats_greet', table: 'seats', why: 'reaches tables of account' }]);
    expect(found.views.map(({ name }) => name)).toEqual(['shown']);
  });

  it('determines on which database servers each statement runs', () => {
    expect(found.statements.map(({ text, servers }) => [text, servers])).toEqual(STATEMENTS);
  });

  it.each(REFUSED)('refuses %s', (_name, changed, fault) => {
    const distribution = JSON.parse(JSON.stringify({ ...DISTRIBUTION, ...changed })) as object;
    expect(script.tableFaults(schema, distribution)).toEqual([expect.stringContaining(fault)]);
  });
});
