import pg, { Result, types, type Connection, type FieldDef, type PoolClient, type Submittable } from 'pg';
import type { Statement } from './transaction';

/** A statement with its values. */
export interface Asked extends Pick<Statement, 'name' | 'text'> {
  readonly values?: readonly unknown[];
}

type OnTheWire = Buffer | string | null;
/** What pg has for everybody who writes a `Submittable`; its types leave that out. */
const { prepareValue } = (pg as unknown as { utils: { readonly prepareValue: (value: unknown) => OnTheWire } }).utils;
/** Makes rows of what a statement answers, whichever values it was asked with. */
interface RowReader {
  parseRow(fields: readonly unknown[]): object;
}

/**
 * The names of statements that PostgreSQL knows on a connection by pipelines, each with how to read its rows, once they have been heard: as long as it
 * knows them they answer in no other form, so that need not be asked for again: for the fifty columns of an event it is a tenth of Node's time.
 */
const known = new WeakMap<Connection, Map<string, RowReader | null>>();

/** Asks some statements in one message, as `Pipeline` has it. → the rows of the last one */
export async function askInOneMessage<Row extends object>(client: PoolClient, statements: readonly Asked[]): Promise<Row[]> {
  return ((await answersOf(client, statements, 'last')).at(-1) ?? []) as Row[];
}

/** The same. → the rows of each */
export function askAllInOneMessage(client: PoolClient, statements: readonly Asked[]): Promise<object[][]> {
  return answersOf(client, statements, 'all');
}

function answersOf(client: PoolClient, statements: readonly Asked[], heard: 'last' | 'all'): Promise<object[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (error, answers) => (error ? reject(error) : resolve(answers)), heard));
  });
}

/**
 * Several statements in one message and one round trip: PostgreSQL does them in their order, and after the first that fails none
 * (its "pipelining", with one Sync). They are parsed once a connection, as named statements are. pg sends it as it does
 * pg-cursor's queries: nothing else is asked of the connection before all of it has been answered.
 */
export class Pipeline implements Submittable {
  private readonly answers: object[][] = [];
  /** What the connection knows after this message and did not before. */
  private readonly learnt = new Map<string, RowReader | null>();
  /** Of each statement that is heard. */
  private readonly readers: (RowReader | null)[] = [];
  /** Those of the statement that is being answered. */
  private rows: object[] = [];
  private unreadable: Error | null = null;

  /**
   * @param callback is told the end, with the rows of each statement. Its name is pg's, which puts another around it where an answer has only so much time.
   * @param heard whose rows are: what is not heard has none
   */
  constructor(
    private statements: readonly Asked[],
    public callback: (error: Error | null, answers: object[][]) => void,
    private readonly heard: 'last' | 'all' = 'last',
  ) {}

  get texts(): readonly string[] {
    return this.statements.map(({ text }) => text);
  }

  /** For a connection that keeps no names: each statement is parsed each time, and others may come in its place. */
  withoutNames(instead: (text: string) => readonly string[]): void {
    this.statements = this.statements.flatMap(({ text, values }) => instead(text).map((one) => ({ name: '', text: one, values })));
  }

  /** Called by pg. What it returns is thrown where the question was asked, and nothing has been sent. */
  submit(connection: Connection): Error | null {
    let values: OnTheWire[][];
    try {
      values = this.statements.map((statement) => (statement.values ?? []).map(prepareValue));
    } catch (error) {
      return error as Error;
    }
    connection.stream.cork();
    this.statements.forEach((statement, n) => {
      connection.bind({ statement: this.parse(connection, statement), values: values[n] }, true);
      const isHeard = this.heard === 'all' || n === this.statements.length - 1;
      const reader = (isHeard && known.get(connection)?.get(statement.name)) || null;
      if (isHeard && !reader) connection.describe({ type: 'P' }, true);
      this.readers.push(reader);
      connection.execute({}, true);
    });
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    const result = new Result<object>('', types) as unknown as RowReader & { addFields(fields: readonly FieldDef[]): void };
    result.addFields(fields);
    const n = this.answers.length;
    this.readers[n] = result;
    const { name } = this.statements[n] as Asked;
    if (name !== '') this.learnt.set(name, result);
  }

  handleDataRow({ fields }: { fields: readonly unknown[] }): void {
    const reader = this.readers[this.answers.length];
    if (!reader || this.unreadable) return;
    try {
      this.rows.push(reader.parseRow(fields));
    } catch (error) {
      this.unreadable = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.answers.push(this.rows);
    this.rows = [];
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.learnt.size > 0) known.set(connection, new Map([...(known.get(connection) ?? []), ...this.learnt]));
    this.callback(this.unreadable, this.answers);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  /** → the name by which the connection has the statement. */
  private parse(connection: Connection, { name, text }: Asked): string {
    // Not by pg's name: its own statements are beside these on the same connection, and it keeps account of its own alone.
    const full = name === '' ? '' : `pipeline_${name}`;
    if (known.get(connection)?.has(name) || this.learnt.has(name)) return full;
    // Of a message that failed nobody knows how much of it was parsed: what is not there may be closed too.
    if (full !== '') connection.close({ type: 'S', name: full }, true);
    connection.parse({ name: full, text, types: [] }, true);
    if (full !== '') this.learnt.set(name, null);
    return full;
  }
}
