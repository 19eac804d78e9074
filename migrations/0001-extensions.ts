import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The extensions `unaccent` and `pg_trgm`, and the functions f_unaccent() and f_fold(), for searches in texts.
 * f_unaccent() removes diacritics. f_fold() first removes tags, then diacritics, then changes upper case to lower case.
 * The result of f_fold() consists of words of a-z and 0-9, with one space between two words.
 */
export class Extensions implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public');
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');

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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION f_fold(text)');
    await runner.query('DROP FUNCTION f_unaccent(text)');
  }
}
