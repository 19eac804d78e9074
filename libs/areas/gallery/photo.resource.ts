import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource, personResource, type Person } from '../identity/person.resource';
import type { GalleryPhoto } from './gallery-photo.entity';

export class PhotoViewerResource {
  /** whether the caller may delete the photo */
  can_delete: boolean;
}

/** A gallery photo (GAL-3). */
export class PhotoResource {
  /** hashid */
  id: string;
  /** address of the photo */
  url: string;
  /** address of a small version of the photo, for lists */
  thumb_url: string;
  /** width of the photo at `url`, in pixels */
  width: number;
  /** height of the photo at `url`, in pixels */
  height: number;
  /** the person who added the photo */
  author: PersonResource;
  /** what the caller may do with the photo */
  viewer: PhotoViewerResource;
  /** when the photo was added */
  created_at: string;
}

export function photoResource(
  photo: GalleryPhoto,
  author: Person,
  canDelete: boolean,
  wire: WireFormat,
): PhotoResource {
  return {
    id: wire.id('photo', photo.id),
    url: wire.media(photo.key),
    thumb_url: wire.thumb(photo.key),
    width: photo.width,
    height: photo.height,
    author: personResource(author, wire),
    viewer: { can_delete: canDelete },
    created_at: toWire(photo.createdAt),
  };
}
