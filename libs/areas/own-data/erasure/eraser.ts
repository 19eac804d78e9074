import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { MediaFiles } from '#platform/media/media-files';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { deleteAppsOf } from '../../apps/app-erasure.commands';
import { scopesOfComments } from '../../comments/comment-erasure.commands';
import { CreditsCommands } from '../../credits/credits.commands';
import { hasCredits } from '../../credits/credits-erasure.commands';
import {
  cancelEvents,
  deleteEvents,
  subtractSeats,
  eventsOfGroups,
  eventsOrganizedBy,
  hideOccurrences,
  lockAllEvents,
  ownEvents,
  releaseFromGroups,
} from '../../events/event-erasure.commands';
import { SeatsToSettle } from '../../events/event.signal';
import { eventsWithPersonInBooks, eventsWithBookEntries } from '../../expenses/book-erasure.commands';
import { deletePhotosOf } from '../../gallery/photo-erasure.commands';
import { eventsOfInterests } from '../../group-events/group-interests-erasure.commands';
import { groupsWithoutOtherMembers, leaveGroup, lockGroupsOf } from '../../groups/group-erasure.commands';
import { deleteAccount, lockAccountToDelete } from '../../identity/account-erasure.commands';
import { Pseudonyms, type PseudonymScope } from '../../identity/pseudonyms.commands';
import { deleteMessagesOf } from '../../messages/message-erasure.commands';
import { forgetRemovalsOf, copySeriesRemoval } from '../../moderation/moderation-erasure.commands';
import {
  eventsOfNotices,
  forgetApps,
  forgetGroups,
  forgetPlaces,
  forgetPosts,
} from '../../notifications/notices-erasure.commands';
import {
  eventsTakenPartIn,
  leaveAll,
  type EndedParticipation,
} from '../../participation/participation-erasure.commands';
import { deletePostsOf } from '../../posts/post-erasure.commands';
import { deletePulsOf } from '../../puls/puls-erasure.commands';
import { deleteRequestsOf } from '../../requests/requests-erasure.commands';
import { deleteSeriesOf, lockSeriesOf, removedSeriesOf } from '../../series/series-erasure.commands';
import { handOver } from './hand-over';

/**
 * Thrown if the erasure concerns an event that is not locked, because another transaction has added a reference after
 * the list of the events was read. The erasure is then attempted again.
 */
class ConcurrentChange extends Error {}

interface EraseOptions {
  readonly isStillWanted?: (tx: Transaction) => Promise<boolean>;
  readonly afterErasure?: (tx: Transaction) => Promise<void>;
}

const ATTEMPTS = 5;
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Erases a person in one transaction; files are deleted after the commit, or later by the job `media-sweep` (DATA-10 to
 * DATA-18).
 */
@Injectable()
export class Eraser {
  constructor(
    private readonly database: Database,
    private readonly signals: Signals,
    private readonly credits: CreditsCommands,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases the person. Makes at most five attempts if other transactions have just added references to the person, for
   * example invitations.
   * @param isStillWanted called after the account was locked; returns whether the account must still be erased
   * @param afterErasure called in the same transaction after the erasure
   * @returns false if there is no such account, or `isStillWanted` returned false
   */
  async erase(
    userId: number,
    { isStillWanted = async () => true, afterErasure = async () => undefined }: EraseOptions = {},
  ): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.database.transaction(async (tx) => {
          const erased = await this.eraseIn(tx, userId, isStillWanted);
          if (erased) await afterErasure(tx);
          return erased;
        });
      } catch (error) {
        const { code } = (error as { driverError?: { code?: string }; code?: string }) ?? {};
        if (attempt === ATTEMPTS || !(error instanceof ConcurrentChange || code === FOREIGN_KEY_VIOLATION)) throw error;
      }
    }
  }

  /**
   * Locks the rows in this order: series, events, groups, person. Transactions that add a reference to the person wait
   * for the lock of the person.
   */
  private async eraseIn(
    tx: Transaction,
    userId: number,
    isStillWanted: NonNullable<EraseOptions['isStillWanted']>,
  ): Promise<boolean> {
    await lockSeriesOf(tx, userId);
    const lockedEvents = await this.eventsConcerning(tx, userId, await groupsWithoutOtherMembers(tx, userId));
    await lockAllEvents(tx, lockedEvents);
    const groups = await lockGroupsOf(tx, userId);
    const account = await lockAccountToDelete(tx, userId);
    if (!account || !(await isStillWanted(tx))) return false;
    // The groups without other members are read again, because another person may have joined one of them before it
    // was locked.
    const soleGroups = await groupsWithoutOtherMembers(tx, userId);
    if ((await this.eventsConcerning(tx, userId, soleGroups)).some((id) => !lockedEvents.includes(id)))
      throw new ConcurrentChange();

    const now = this.clock.now();
    const keys = account.avatarKey === null ? [] : [account.avatarKey];
    keys.push(...(await this.removeOwnContent(tx, userId)));
    const { keptEventIds, keys: eventFileKeys } = await this.closeEvents(tx, userId, now);
    for (const { id, removedAt } of await removedSeriesOf(tx, userId))
      await copySeriesRemoval(tx, id, await hideOccurrences(tx, id, removedAt));
    await releaseFromGroups(tx, soleGroups, now);
    for (const { id, isOwner } of groups) keys.push(...(await leaveGroup(tx, id, userId, isOwner)));
    await forgetRemovalsOf(tx, 'group', soleGroups);
    await forgetGroups(tx, soleGroups);
    const leftEvents = await this.leaveEvents(tx, userId, now);
    const pseudonyms = await Pseudonyms.add(tx, await this.scopesOf(tx, userId, leftEvents, groups));
    keys.push(...eventFileKeys, ...(await handOver(tx, userId, account, pseudonyms, keptEventIds)));
    await forgetRemovalsOf(tx, 'series', await deleteSeriesOf(tx, userId));
    await deleteRequestsOf(tx, userId);
    await deleteAccount(tx, userId);
    await this.media.markForDeletion(tx, keys);
    return true;
  }

  /** The ids of the events that the erasure concerns: events with data of the person, and events of these groups. */
  private async eventsConcerning(tx: Transaction, userId: number, groupIds: readonly number[]): Promise<number[]> {
    const commentedScopes = await scopesOfComments(tx, userId);
    const commentedEvents = commentedScopes.filter(({ kind }) => kind === 'event').map(({ id }) => id);
    return [
      ...new Set([
        ...(await eventsOrganizedBy(tx, userId)),
        ...(await eventsTakenPartIn(tx, userId)),
        ...(await eventsWithPersonInBooks(tx, userId)),
        ...(await eventsOfInterests(tx, userId)),
        ...(await eventsOfGroups(tx, groupIds)),
        ...commentedEvents,
      ]),
    ];
  }

  /**
   * Deletes the person's apps, posts, photos, Puls posts and messages, with the records of their removals by
   * moderators. Returns the keys of their files.
   */
  private async removeOwnContent(tx: Transaction, userId: number): Promise<string[]> {
    const apps = await deleteAppsOf(tx, this.signals, userId);
    const posts = await deletePostsOf(tx, this.signals, userId);
    const photos = await deletePhotosOf(tx, userId);
    const puls = await deletePulsOf(tx, userId);
    await forgetApps(tx, apps.ids);
    await forgetRemovalsOf(tx, 'post', posts.ids);
    await forgetPosts(tx, posts.ids);
    await forgetRemovalsOf(tx, 'photo', photos.ids);
    await forgetRemovalsOf(tx, 'puls', puls.ids);
    await forgetRemovalsOf(tx, 'message', await deleteMessagesOf(tx, userId));
    return [...apps.keys, ...posts.keys, ...photos.keys, ...puls.keys];
  }

  /**
   * Keeps the person's events that have participants or expenses, because other people need these events, and cancels
   * the kept events that are upcoming. Deletes the person's events that have neither participants nor expenses. `keys`
   * are the keys of the files of the deleted events.
   */
  private async closeEvents(
    tx: Transaction,
    userId: number,
    now: Date,
  ): Promise<{ keptEventIds: number[]; keys: string[] }> {
    const events = await ownEvents(tx, userId, now);
    const eventIds = events.map(({ id }) => id);
    await forgetPlaces(tx, eventIds);
    const idsWithBookEntries = new Set(await eventsWithBookEntries(tx, eventIds));
    const isNeeded = ({ id, hasParticipants }: (typeof events)[number]): boolean =>
      hasParticipants || idsWithBookEntries.has(id);
    await cancelEvents(
      tx,
      this.signals,
      events.filter((event) => event.isUpcoming && isNeeded(event)),
      now,
    );
    const unneeded = events.filter((event) => !isNeeded(event)).map(({ id }) => id);
    const keys = await deleteEvents(tx, this.signals, unneeded);
    await forgetRemovalsOf(tx, 'event', unneeded);
    return { keptEventIds: events.filter(isNeeded).map(({ id }) => id), keys };
  }

  /**
   * Deletes the participations that nobody else needs (`leaveAll`), frees their seats and refunds their held credits.
   * Returns the ids of the events of these participations.
   */
  private async leaveEvents(tx: Transaction, userId: number, now: Date): Promise<number[]> {
    const ended = await leaveAll(tx, userId, now);
    const eventsWhere = (matches: (participation: EndedParticipation) => boolean): number[] =>
      ended.filter(matches).map(({ eventId }) => eventId);
    await subtractSeats(tx, {
      confirmed: eventsWhere(({ wasConfirmed }) => wasConfirmed),
      offers: eventsWhere(({ hadOffer }) => hadOffer),
    });
    await this.signals.raise(
      tx,
      new SeatsToSettle(eventsWhere(({ wasConfirmed, hadOffer }) => wasConfirmed || hadOffer)),
    );
    for (const { holdId } of ended) if (holdId !== null) await this.credits.refund(tx, holdId);
    return ended.map(({ eventId }) => eventId);
  }

  /**
   * The events, posts and groups in which data of the deleted account remain (entries of the feed of changes count
   * too), and the ledger of credits if it contains data of the account (`hasCredits`). The account gets a separate
   * pseudonym in each of them.
   */
  private async scopesOf(
    tx: Transaction,
    userId: number,
    leftEventIds: readonly number[],
    groups: readonly { readonly id: number }[],
  ): Promise<PseudonymScope[]> {
    const events = [
      ...leftEventIds,
      ...(await this.eventsConcerning(tx, userId, [])),
      ...(await eventsOfNotices(tx, userId)),
    ];
    return [
      ...events.map((id) => ({ kind: 'event', id }) as const),
      ...groups.map(({ id }) => ({ kind: 'group', id }) as const),
      ...(await scopesOfComments(tx, userId)),
      ...((await hasCredits(tx, userId)) ? [{ kind: 'ledger', id: userId } as const] : []),
    ];
  }
}
