import type { Transaction } from '#platform/database/database';
import { eraseFromLog } from '#platform/changes/erase-from-log';
import { eraseClaims } from '#platform/retries/erase-claims';
import { eraseAccountMails } from '../../account-mail/account-mail-erasure.commands';
import { eraseHolds } from '../../changes/changes-erasure.commands';
import { emptyComments } from '../../comments/comment-erasure.commands';
import { handOverCredits } from '../../credits/credits-erasure.commands';
import { eraseFromDiscover } from '../../discover/discover-erasure.commands';
import { handOverEvents } from '../../events/event-erasure.commands';
import { handOverBooks } from '../../expenses/book-erasure.commands';
import { handOverInterests } from '../../group-events/group-interests-erasure.commands';
import type { AccountToDelete } from '../../identity/account-erasure.commands';
import { newPseudonymSlug, type Pseudonyms } from '../../identity/pseudonyms.commands';
import { unpublishPlans } from '../../itinerary/itinerary-erasure.commands';
import { eraseFromModeration, reportsOn } from '../../moderation/moderation-erasure.commands';
import { eraseNotices } from '../../notifications/notices-erasure.commands';
import { handOverParticipations } from '../../participation/participation-erasure.commands';
import { eraseFromDeliveries } from '../../webhooks/deliveries-erasure.commands';

/**
 * Prepares the deletion of an account. Pseudonyms become the owners of the rows that other people need. The person's
 * traces in other tables, such as notices and logs, are erased. Returns the keys of the files that must be deleted.
 */
export async function handOver(
  tx: Transaction,
  userId: number,
  { slug, email }: AccountToDelete,
  pseudonyms: Pseudonyms,
  ownEventIds: readonly number[],
): Promise<string[]> {
  await unpublishPlans(tx, ownEventIds);
  const eventPictures = await handOverEvents(tx, userId, pseudonyms, ownEventIds);
  await handOverParticipations(tx, userId, pseudonyms);
  await handOverInterests(tx, userId, pseudonyms);
  const commentPictures = await emptyComments(tx, userId, pseudonyms);
  await handOverBooks(tx, userId, pseudonyms);
  const [, [ledgerPseudonymId]] = pseudonyms.in('ledger');
  if (ledgerPseudonymId !== undefined) await handOverCredits(tx, userId, ledgerPseudonymId);

  await eraseNotices(tx, userId, pseudonyms, await reportsOn(tx, userId));
  await eraseFromModeration(tx, userId, email);
  await eraseAccountMails(tx, userId, email);
  await eraseFromDiscover(tx, userId);
  await eraseFromDeliveries(tx, slug, newPseudonymSlug);
  await eraseHolds(tx, userId);
  await eraseClaims(tx, userId);
  await eraseFromLog(tx, userId, {
    kinds: pseudonyms.all.map(({ kind }) => kind),
    topicIds: pseudonyms.all.map(({ id }) => id),
    userIds: pseudonyms.all.map(({ pseudonymId }) => pseudonymId),
  });
  return [...eventPictures, ...commentPictures];
}
