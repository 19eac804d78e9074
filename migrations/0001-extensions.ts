import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * PostgreSQL extensions and functions for search: texts without case and diacritics, and trigrams, which find texts
 * that are only similar.
 */
export class Extensions implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public');
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');

    // unaccent() is STABLE, because its dictionary can be changed. The service never changes it, so this function may be
    // IMMUTABLE and used in an index.
    await runner.query(`
      CREATE FUNCTION f_unaccent(text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      AS $$ SELECT public.unaccent('public.unaccent'::regdictionary, $1) $$`);

    // Folded text is lower case and has no diacritics. Each HTML tag, and each run of other characters, becomes a space.
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
