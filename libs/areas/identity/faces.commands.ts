import { randomBytes } from 'node:crypto';
import { statement, type Transaction } from '#platform/database/database';

/** Where somebody who has gone leaves something to others; they have another face in each. */
export interface FaceScope {
  readonly kind: 'event' | 'post' | 'group' | 'ledger';
  readonly id: number;
}

/** Those who go are shown by it (DATA-10). */
const NAME = 'deleted';
const SLUG_BYTES = 10;

/** All faces are of the same age, so that none tells of another. */
const ADD_FACES = statement(
  'identity_add_faces',
  `INSERT INTO users (slug, name, searchable, gone, created_at, updated_at)
   SELECT slug, $2, false, true, to_timestamp(0), to_timestamp(0) FROM unnest($1::text[]) AS s (slug) RETURNING id, slug`,
);

/** A slug that nobody has, and that says nothing. */
export function slugOfNobody(): string {
  return `deleted-${randomBytes(SLUG_BYTES).toString('hex')}`;
}

/** Rows of `users` that stand where somebody was. */
export class Faces {
  private constructor(private readonly ids: readonly (FaceScope & { readonly faceId: number })[]) {}

  /** A new one in each scope. */
  static async add(tx: Transaction, scopes: readonly FaceScope[]): Promise<Faces> {
    const once = [...new Map(scopes.map((scope) => [`${scope.kind} ${scope.id}`, scope])).values()];
    const slugs = once.map(slugOfNobody);
    const rows = await tx.rows<{ id: string; slug: string }>(ADD_FACES, [slugs, NAME]);
    const idOf = new Map(rows.map(({ id, slug }) => [slug, Number(id)]));
    return new Faces(once.map((scope, at) => ({ ...scope, faceId: idOf.get(slugs[at] as string) as number })));
  }

  /** All of them, whatever they stand in. */
  get all(): readonly (FaceScope & { readonly faceId: number })[] {
    return this.ids;
  }

  /** For `unnest($2::bigint[], $3::bigint[]) AS face (scope_id, user_id)`: the scopes of a kind and who stands there. */
  in(kind: FaceScope['kind']): [scopeIds: number[], faceIds: number[]] {
    const found = this.ids.filter((one) => one.kind === kind);
    return [found.map(({ id }) => id), found.map(({ faceId }) => faceId)];
  }
}

/** SQL: the faces of one kind of scope, as `Faces.in` hands them over. */
export const FACES_SQL = 'unnest($2::bigint[], $3::bigint[]) AS face (scope_id, user_id)';
