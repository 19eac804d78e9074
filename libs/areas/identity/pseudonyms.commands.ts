import { randomBytes } from 'node:crypto';
import { statement, type Transaction } from '#platform/database/database';

/**
 * An object that still contains data of a deleted account, because other people need this data. The account gets a
 * different pseudonym in each such object. `ledger` is the ledger of credits, and its `id` is the id of the account.
 */
export interface PseudonymScope {
  readonly kind: 'event' | 'post' | 'group' | 'ledger';
  readonly id: number;
}

/** The displayed name of deleted accounts (DATA-10). */
const NAME = 'deleted';
const SLUG_BYTES = 10;

/** All pseudonyms have the same creation time, so the time does not show which of them belong to the same person. */
const ADD_PSEUDONYMS = statement(
  'identity_add_pseudonyms',
  `INSERT INTO users (slug, name, searchable, gone, created_at, updated_at)
   SELECT slug, $2, false, true, to_timestamp(0), to_timestamp(0) FROM unnest($1::text[]) AS s (slug) RETURNING id, slug`,
);

export function newPseudonymSlug(): string {
  return `deleted-${randomBytes(SLUG_BYTES).toString('hex')}`;
}

/** Whether this person is the pseudonym of a deleted account (DATA-10). A pseudonym has no web page. */
export function isPseudonym({ slug, name }: { readonly slug: string; readonly name: string }): boolean {
  return name === NAME && /^deleted-[0-9a-f]{20}$/.test(slug);
}

/** The pseudonyms that replace a deleted account: rows of `users` without personal data. */
export class Pseudonyms {
  private constructor(private readonly entries: readonly (PseudonymScope & { readonly pseudonymId: number })[]) {}

  /** Creates a pseudonym in each scope. */
  static async add(tx: Transaction, scopes: readonly PseudonymScope[]): Promise<Pseudonyms> {
    const distinctScopes = [...new Map(scopes.map((scope) => [`${scope.kind} ${scope.id}`, scope])).values()];
    const slugs = distinctScopes.map(newPseudonymSlug);
    const rows = await tx.rows<{ id: string; slug: string }>(ADD_PSEUDONYMS, [slugs, NAME]);
    const idOf = new Map(rows.map(({ id, slug }) => [slug, Number(id)]));
    return new Pseudonyms(
      distinctScopes.map((scope, index) => ({ ...scope, pseudonymId: idOf.get(slugs[index] as string) as number })),
    );
  }

  /** The pseudonyms of all scopes. */
  get all(): readonly (PseudonymScope & { readonly pseudonymId: number })[] {
    return this.entries;
  }

  /** The ids of the objects of one kind, and the id of the pseudonym in each, as parameters for `PSEUDONYMS_SQL`. */
  in(kind: PseudonymScope['kind']): [scopeIds: number[], pseudonymIds: number[]] {
    const found = this.entries.filter((entry) => entry.kind === kind);
    return [found.map(({ id }) => id), found.map(({ pseudonymId }) => pseudonymId)];
  }
}

/** SQL: the pseudonyms in objects of one kind. The parameters $2 and $3 are the result of `Pseudonyms.in`. */
export const PSEUDONYMS_SQL = 'unnest($2::bigint[], $3::bigint[]) AS pseudonym (scope_id, user_id)';
