import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource, personResource, type Person } from '../identity/person.resource';
import type { GalleryPhoto } from './gallery-photo.entity';

export class PhotoViewerResource {
  can_delete: boolean;
}

/** A gallery photo (GAL-3). */
export class PhotoResource {
  /** hashid */
  id: string;
  url: string;
  thumb_url: string;
  width: number;
  height: number;
  author: PersonResource;
  viewer: PhotoViewerResource;
  created_at: string;
}

export function photoResource(photo: GalleryPhoto, author: Person, canDelete: boolean, wire: WireFormat): PhotoResource {
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
