import pg, { Result, types, type Connection, type FieldDef, type PoolClient, type Submittable } from 'pg';
import type { Statement } from './transaction';

/** A statement with its values. */
export interface QueryConfig extends Pick<Statement, 'name' | 'text'> {
  readonly values?: readonly unknown[];
}

/** The part of pg's `Result` that makes rows; its types leave this part out. */
interface RowParser {
  addFields(fields: readonly FieldDef[]): void;
  parseRow(fields: readonly unknown[]): object;
}

type OnTheWire = Buffer | string | null;
/** What pg has for everybody who writes a `Submittable`; its types leave that out. */
const { prepareValue } = (pg as unknown as { utils: { readonly prepareValue: (value: unknown) => OnTheWire } }).utils;
/** The names of statements that PostgreSQL has prepared on a connection for pipelines. */
const prepared = new WeakMap<Connection, Set<string>>();

/** Asks some statements in one message, as `Pipeline` has it. → the rows of the last one */
export async function askInOneMessage<Row extends object>(
  client: PoolClient,
  statements: readonly QueryConfig[],
): Promise<Row[]> {
  return ((await answersOf(client, statements, 'last')).at(-1) ?? []) as Row[];
}

/** The same. → the rows of each */
export function askAllInOneMessage(client: PoolClient, statements: readonly QueryConfig[]): Promise<object[][]> {
  return answersOf(client, statements, 'all');
}

function answersOf(
  client: PoolClient,
  statements: readonly QueryConfig[],
  answered: 'last' | 'all',
): Promise<object[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (error, answers) => (error ? reject(error) : resolve(answers)), answered));
  });
}

/**
 * Several statements in one message and one round trip: PostgreSQL does them in their order, and after the first that fails none
 * (its "pipelining", with one Sync). They are parsed once a connection, as named statements are. pg sends it as it does
 * pg-cursor's queries: nothing else is asked of the connection before all of it has been answered.
 */
export class Pipeline implements Submittable {
  private readonly answers: object[][] = [];
  /** Names that this message prepares. */
  private readonly preparing = new Set<string>();
  private result: RowParser | null = null;
  /** Rows of the statement that is being answered. */
  private rows: object[] = [];
  private unreadable: Error | null = null;

  /**
   * @param callback is told the end, with the rows of each statement. Its name is pg's, which puts another around it where an answer has only so much time.
   * @param answered whose rows are: what is not heard has none
   */
  constructor(
    private statements: readonly QueryConfig[],
    public callback: (error: Error | null, answers: object[][]) => void,
    private readonly answered: 'last' | 'all' = 'last',
  ) {}

  get texts(): readonly string[] {
    return this.statements.map(({ text }) => text);
  }

  /** For a connection that keeps no names: each statement is parsed each time, and others may come in its place. */
  withoutNames(instead: (text: string) => readonly string[]): void {
    this.statements = this.statements.flatMap(({ text, values }) =>
      instead(text).map((one) => ({ name: '', text: one, values })),
    );
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
      if (this.answered === 'all' || n === this.statements.length - 1) connection.describe({ type: 'P' }, true);
      connection.execute({}, true);
    });
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.result = new Result<object>('', types) as unknown as RowParser;
    this.result.addFields(fields);
  }

  handleDataRow({ fields }: { fields: readonly unknown[] }): void {
    if (!this.result || this.unreadable) return;
    try {
      this.rows.push(this.result.parseRow(fields));
    } catch (error) {
      this.unreadable = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.answers.push(this.rows);
    [this.rows, this.result] = [[], null];
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.preparing.size > 0)
      prepared.set(connection, new Set([...(prepared.get(connection) ?? []), ...this.preparing]));
    this.callback(this.unreadable, this.answers);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  /** → the name by which the connection has the statement. */
  private parse(connection: Connection, { name, text }: QueryConfig): string {
    // Not by pg's name: its own statements are beside these on the same connection, and it keeps account of its own alone.
    const full = name === '' ? '' : `pipeline_${name}`;
    if (prepared.get(connection)?.has(name) || this.preparing.has(name)) return full;
    // Of a message that failed nobody knows how much of it was parsed: what is not there may be closed too.
    if (full !== '') connection.close({ type: 'S', name: full }, true);
    connection.parse({ name: full, text, types: [] }, true);
    if (full !== '') this.preparing.add(name);
    return full;
  }
}
