import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes groups_words, posts_words and posts_published, and function f_folded(), for the search on the pages
 * (PAGE-27).
 */
export class WordsOfGroupsAndPosts0180 implements MigrationInterface {
  readonly name = 'WordsOfGroupsAndPosts0000000000180';
  readonly locks = ['groups', 'posts'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION f_folded(text, text, text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT ' ' || public.f_fold_words(coalesce($1, '') || ' ' || coalesce($2, '') || ' ' || coalesce($3, '')) $$;
      CREATE INDEX groups_words ON groups USING gin (f_folded(name, description, location_name) gin_trgm_ops) WHERE is_public;
      CREATE INDEX posts_words ON posts USING gin (f_folded(title, excerpt, location) gin_trgm_ops) WHERE status = 'published';
      CREATE INDEX posts_published ON posts (published_at DESC, id DESC) WHERE status = 'published';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX groups_words, posts_words, posts_published; DROP FUNCTION f_folded(text, text, text)',
    );
  }
}
