import type { GroupRole } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personColumns, personOf, PersonResource, personResource, type PersonRow } from '../identity/person.resource';

/**
 * SQL: the columns of a response with a group. `g` is the group, `o` is its owner, and `me` is the membership of viewer
 * $1.
 */
export const GROUP_COLUMNS = `
  g.id, g.name, g.description, g.is_public, g.location_name, g.latitude, g.longitude, g.avatar_key, g.cover_key, g.members_count,
  g.version, g.created_at, g.updated_at,
  ${personColumns('o', 'owner')}, me.role`;

export const GROUP_JOINS = `
  JOIN users o ON o.id = g.owner_id
  LEFT JOIN group_members me ON me.group_id = g.id AND me.user_id = $1`;

/** A row with the columns of GROUP_COLUMNS. */
export interface GroupRow extends PersonRow<'owner'> {
  id: string;
  name: string;
  description: string | null;
  is_public: boolean;
  location_name: string | null;
  latitude: number | null;
  longitude: number | null;
  avatar_key: string | null;
  cover_key: string | null;
  members_count: number;
  version: string;
  created_at: Date;
  updated_at: Date;
  role: GroupRole | null;
  /** Distance in kilometres; absent unless the query searches near a place. */
  distance_km?: number;
}

/** The caller's relation to the group. */
export class GroupViewerResource {
  /** the caller's role; null if there is none */
  role: GroupRole | null;
  /** whether joining the group would send a request to the owner */
  can_request: boolean;
}

/** A group as the caller sees it (GRP-2). */
export class GroupResource {
  /** hashid */
  id: string;
  /** 2 to 60 characters */
  name: string;
  /** plain text; null when not given */
  description: string | null;
  /** whether everybody sees the group and may ask to join */
  is_public: boolean;
  /** name of the place; null when not given */
  location_name: string | null;
  /** degrees north; null exactly when `longitude` is null */
  latitude: number | null;
  /** degrees east; null exactly when `latitude` is null */
  longitude: number | null;
  /** a square picture; null if there is none */
  avatar_url: string | null;
  /** a wide picture; null if there is none */
  cover_url: string | null;
  /** number of members, including the owner */
  members_count: number;
  /** the founder; after the deletion of the founder's account, the member who took over the group */
  owner: PersonResource;
  /** the caller's relation to the group */
  viewer: GroupViewerResource;
  /** the group's web page */
  url: string;
  /** when the group was founded */
  created_at: string;
  /** when the group was last changed */
  updated_at: string;
  /** great-circle distance in kilometres; only in discover with lat and lng */
  distance_km?: number;
}

/** The permanent invite link: a web page of this service. */
export class InviteLinkResource {
  /** the web page on which people with the link ask to join; the link never changes */
  url: string;
}

export function groupResource(row: GroupRow, wire: WireFormat): GroupResource {
  const id = wire.id('group', row.id);
  const visibility = { isPublic: row.is_public };
  const resource: GroupResource = {
    id,
    name: row.name,
    description: row.description,
    is_public: row.is_public,
    location_name: row.location_name,
    latitude: row.latitude,
    longitude: row.longitude,
    avatar_url: wire.thumbOrNull(row.avatar_key, visibility),
    cover_url: wire.mediaOrNull(row.cover_key, visibility),
    members_count: row.members_count,
    owner: personResource(personOf(row, 'owner'), wire),
    viewer: { role: row.role, can_request: row.is_public && row.role === null },
    url: wire.page(`/groups/${id}`),
    created_at: toWire(row.created_at),
    updated_at: toWire(row.updated_at),
  };
  if (row.distance_km !== undefined) resource.distance_km = row.distance_km;
  return resource;
}
