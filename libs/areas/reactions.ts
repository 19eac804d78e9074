import { reaction, type ReactionEntry } from '#platform/signals/signals';
import { AppDisconnected, AppsDeleted } from './apps/app.signal';
import {
  ForgetAddressesAfterAppDeletion,
  RenewAddressAfterDisconnection,
} from './calendars/renew-disconnected.reaction';
import { NotifyFormerAddress } from './account-mail/changed-address.reaction';
import { VoidAccountLinks } from './account-mail/changed-credentials.reaction';
import { DeleteEventComments, DeletePostComments } from './comments/delete-comments.reaction';
import {
  EventDeleted,
  EventMoved,
  EventsCancelled,
  GroupEventCreated,
  OccurrencesMoved,
  OffersToEnd,
  SeatsToSettle,
} from './events/event.signal';
import { DeleteGalleryFiles } from './gallery/delete-gallery-files.reaction';
import { InviteGroupMembers } from './group-events/invite-group-members.reaction';
import { ReleaseGroupEvents } from './group-events/release-group-events.reaction';
import { GroupDeleted, MembershipChanged } from './groups/group.signal';
import {
  SessionsEnded,
  UserBanned,
  UserBlocked,
  UserCredentialsChanged,
  UserEmailChanged,
  UserToBeBlocked,
} from './identity/user.signal';
import { CollectEventChanges, WriteSeriesChanged } from './notifications/event-changes';
import { NotifyOfMembership } from './notifications/group-membership.reaction';
import { SettleCancelledEvents } from './participation/cancelled-events.reaction';
import { NotifyAboutDeletedEvent } from './participation/deleted-event.reaction';
import {
  EndOffers,
  LockEventsWithOffer,
  SettleAfterBlock,
  SettleSeats,
} from './participation/seats-to-settle.reaction';
import { PostDeleted } from './posts/post.signal';
import { ReleaseEventPosts } from './posts/release-event-posts.reaction';
import { EndSubscriptionsOfSessions } from './push/ended-sessions.reaction';
import { EndPendingSignIns } from './second-step/banned-user.reaction';

/**
 * All signals with their reactions. Reactions to one signal run in the order of this list, in the transaction that
 * raises the signal.
 */
export const REACTIONS: readonly ReactionEntry[] = [
  reaction(EventMoved, CollectEventChanges),
  reaction(OccurrencesMoved, WriteSeriesChanged),
  reaction(MembershipChanged, NotifyOfMembership),
  reaction(SeatsToSettle, SettleSeats),
  reaction(OffersToEnd, EndOffers),
  reaction(UserToBeBlocked, LockEventsWithOffer),
  reaction(UserBlocked, SettleAfterBlock),
  reaction(EventsCancelled, SettleCancelledEvents),
  reaction(GroupEventCreated, InviteGroupMembers),
  reaction(GroupDeleted, ReleaseGroupEvents),
  reaction(EventDeleted, NotifyAboutDeletedEvent),
  reaction(EventDeleted, DeleteGalleryFiles),
  reaction(EventDeleted, DeleteEventComments),
  reaction(EventDeleted, ReleaseEventPosts),
  reaction(PostDeleted, DeletePostComments),
  reaction(SessionsEnded, EndSubscriptionsOfSessions),
  reaction(UserBanned, EndPendingSignIns),
  reaction(UserCredentialsChanged, VoidAccountLinks),
  reaction(AppDisconnected, RenewAddressAfterDisconnection),
  reaction(AppsDeleted, ForgetAddressesAfterAppDeletion),
  reaction(UserEmailChanged, NotifyFormerAddress),
];
