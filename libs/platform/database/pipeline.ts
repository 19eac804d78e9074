import pg, { Result, types, type Connection, type FieldDef, type PoolClient, type Submittable } from 'pg';
import type { Statement } from './transaction';

/** A statement with its values. */
export interface QueryConfig extends Pick<Statement, 'name' | 'text'> {
  readonly values?: readonly unknown[];
}

/** The part of pg's class `Result` that parses rows. pg's types do not contain it. */
interface RowParser {
  addFields(fields: readonly FieldDef[]): void;
  parseRow(fields: readonly unknown[]): object;
}

type WireValue = Buffer | string | null;
/** pg's helper function for classes that implement `Submittable`. pg's types do not contain it. */
const { prepareValue } = (pg as unknown as { utils: { readonly prepareValue: (value: unknown) => WireValue } }).utils;
/** The statements that pipelines have prepared on each connection, by name. */
const preparedStatements = new WeakMap<Connection, Set<string>>();

/**
 * Runs several statements in one message; see `Pipeline`.
 *
 * @returns the rows of the last statement
 */
export async function queryInOneMessage<Row extends object>(
  client: PoolClient,
  statements: readonly QueryConfig[],
): Promise<Row[]> {
  return ((await queryAllInOneMessage(client, statements)).at(-1) ?? []) as Row[];
}

/**
 * Runs several statements in one message.
 *
 * @returns the rows of each statement
 */
export function queryAllInOneMessage(client: PoolClient, statements: readonly QueryConfig[]): Promise<object[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (error, answers) => (error ? reject(error) : resolve(answers))));
  });
}

/**
 * Sends several statements in one network message, so they need only one round trip. PostgreSQL runs them in order, and
 * skips the rest after a failure (pipelining with one Sync). Each statement is parsed once per connection, like a named
 * statement. pg treats this object like a query of pg-cursor: pg sends no other query on the connection until all
 * statements are answered.
 */
export class Pipeline implements Submittable {
  private readonly answers: object[][] = [];
  /** The names of the statements that this message prepares. */
  private readonly preparing = new Set<string>();
  private result: RowParser | null = null;
  /** The rows of the current statement so far. */
  private rows: object[] = [];
  private parseError: Error | null = null;

  /**
   * @param callback gets the error, or the rows of each statement. The property must be named `callback`, because pg
   * wraps this property if queries have a timeout (`query_timeout`).
   */
  constructor(
    private statements: readonly QueryConfig[],
    public callback: (error: Error | null, answers: object[][]) => void,
  ) {}

  get texts(): readonly string[] {
    return this.statements.map(({ text }) => text);
  }

  /**
   * Removes the names of the statements, so each statement is parsed every time. Connections on which statements cannot
   * stay prepared need this. `replace` may replace a statement by one or more others.
   */
  withoutNames(replace: (text: string) => readonly string[]): void {
    this.statements = this.statements.flatMap(({ text, values }) =>
      replace(text).map((one) => ({ name: '', text: one, values })),
    );
  }

  /** The method that pg calls. If it returns an error, nothing is sent, and pg calls `handleError` with the error. */
  submit(connection: Connection): Error | null {
    let values: WireValue[][];
    try {
      values = this.statements.map((statement) => (statement.values ?? []).map(prepareValue));
    } catch (error) {
      return error as Error;
    }
    connection.stream.cork();
    this.statements.forEach((statement, n) => {
      connection.bind({ statement: this.parse(connection, statement), values: values[n] }, true);
      connection.describe({ type: 'P' }, true);
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
    if (!this.result || this.parseError) return;
    try {
      this.rows.push(this.result.parseRow(fields));
    } catch (error) {
      this.parseError = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.answers.push(this.rows);
    [this.rows, this.result] = [[], null];
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.preparing.size > 0)
      preparedStatements.set(connection, new Set([...(preparedStatements.get(connection) ?? []), ...this.preparing]));
    this.callback(this.parseError, this.answers);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  /** Returns the name under which the statement is prepared on this connection. */
  private parse(connection: Connection, { name, text }: QueryConfig): string {
    // pg prepares statements on the same connection, and does not know the statements of pipelines. Therefore this name
    // must differ from the name that pg uses.
    const preparedName = name === '' ? '' : `pipeline_${name}`;
    if (preparedStatements.get(connection)?.has(name) || this.preparing.has(name)) return preparedName;
    // A failed message may or may not have prepared this statement, so the statement is closed first. Closing a missing
    // statement is allowed.
    if (preparedName !== '') connection.close({ type: 'S', name: preparedName }, true);
    connection.parse({ name: preparedName, text, types: [] }, true);
    if (preparedName !== '') this.preparing.add(name);
    return preparedName;
  }
}
