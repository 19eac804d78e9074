import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops the functions f_fold() and f_unaccent(). The function f_fold_words() of migration 0040 replaces them. */
export class FoldingIsDiscovers0064 implements MigrationInterface {
  readonly name = 'FoldingIsDiscovers0000000000064';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION f_fold(text), f_unaccent(text)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION f_unaccent(text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      AS $$ SELECT public.unaccent('public.unaccent'::regdictionary, $1) $$`);
    await runner.query(`
      CREATE FUNCTION f_fold(text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      AS $$ SELECT btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary,
              regexp_replace($1, '<[^>]*>', ' ', 'g'))), '[^a-z0-9]+', ' ', 'g')) $$`);
  }
}
