import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource, personResource, type Person } from '../identity/person.resource';

/** The caller's relation to the person. */
export class ProfileViewerResource {
  /** whether the person is the caller */
  is_self: boolean;
  /** whether the caller blocks the person */
  is_blocked: boolean;
  /** whether the person is searchable and is not the caller; an invitation can still be refused */
  can_invite: boolean;
}

/** A person with the additional data of the person's public page (PEO-8). */
export class ProfileResource extends PersonResource {
  /** the person's web page */
  url: string;
  /** whether the operator has verified the account */
  is_verified: boolean;
  /** when the account was created */
  created_at: string;
  /** number of the person's public events, past and upcoming, without cancelled events */
  events_organized: number;
  /** the caller's relation to the person */
  viewer: ProfileViewerResource;
}

/** The columns of a profile. */
export interface Profile extends Person {
  readonly verified: boolean;
  readonly createdAt: Date;
  readonly eventsOrganized: number;
  readonly viewer: ProfileViewerResource;
}

export function profileResource(profile: Profile, wire: WireFormat): ProfileResource {
  return {
    ...personResource(profile, wire),
    url: wire.page(`/people/${profile.slug}`),
    is_verified: profile.verified,
    created_at: toWire(profile.createdAt),
    events_organized: profile.eventsOrganized,
    viewer: profile.viewer,
  };
}
