import { Column, PrimaryColumn, PrimaryGeneratedColumn, type ColumnOptions } from 'typeorm';

/** PostgreSQL's bigint arrives as text. Ids stay far below 2^53, so they are numbers in our code. */
const asNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** `id bigint GENERATED ALWAYS AS IDENTITY`. */
export function Id(): PropertyDecorator {
  return PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    transformer: asNumber,
  } as never);
}

/** A bigint that refers to a row, or a count. Between areas there are ids, not relations. */
export function Ref(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'bigint', transformer: asNumber, ...options });
}

/** A `Ref` that is the primary key or a part of it: rows that belong to another row, and join tables. */
export function KeyRef(options: { name: string }): PropertyDecorator {
  return PrimaryColumn({ type: 'bigint', transformer: asNumber, ...options });
}

/** `timestamptz`. */
export function Instant(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'timestamptz', ...options });
}
