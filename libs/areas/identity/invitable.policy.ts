import { isBannedSql } from './banned.policy';
import { blocksSql } from './blocks.policy';

/**
 * SQL: whether `inviter` (an SQL placeholder) may invite the person `u` (JOIN-27, GRP-13): the person is searchable and
 * not banned, is not the inviter, and does not block the inviter.
 */
export function isInvitableSql(inviter: string): string {
  return `u.searchable AND NOT ${isBannedSql('u')} AND u.id <> ${inviter}
      AND NOT ${blocksSql('u.id', inviter)}`;
}
