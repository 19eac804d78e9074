import { Column, PrimaryColumn, PrimaryGeneratedColumn, type ColumnOptions } from 'typeorm';

/** Converts PostgreSQL's bigint and numeric, which arrive as text, to numbers. Ids are far below 2^53. */
export const asNumber = {
  to: (value: number | null | undefined): number | null | undefined => value,
  from: (value: string | null): number | null => (value === null ? null : Number(value)),
};

/** `id bigint GENERATED ALWAYS AS IDENTITY`. */
export function Id(): PropertyDecorator {
  return PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    transformer: asNumber,
  } as never);
}

/**
 * A bigint column: the id of another row, or a number such as a version. An area refers to rows of other areas only
 * by their ids, without TypeORM relations.
 */
export function Ref(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'bigint', transformer: asNumber, ...options });
}

/**
 * A `Ref` that is the primary key or a part of it. Used in tables that link two other tables, and in tables whose rows
 * each belong to one row of another table.
 */
export function KeyRef(options: { name: string }): PropertyDecorator {
  return PrimaryColumn({ type: 'bigint', transformer: asNumber, ...options });
}

/** A column of the type `timestamptz`. */
export function Instant(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'timestamptz', ...options });
}
