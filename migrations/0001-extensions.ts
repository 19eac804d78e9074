import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Text without case and accents, for search; trigrams, for what people half remember. */
export class Extensions implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public');
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');

    // unaccent() itself is only STABLE, because its dictionary can be changed; ours is not, so an index may use it.
    await runner.query(`
      CREATE FUNCTION f_unaccent(text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      AS $$ SELECT public.unaccent('public.unaccent'::regdictionary, $1) $$`);

    // Folded text: lower case, no diacritics; HTML tags and every run of anything else are one space.
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
