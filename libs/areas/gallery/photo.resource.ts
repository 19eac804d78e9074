import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource, personResource, type Person } from '../identity/person.resource';
import type { PhotoRow } from './gallery.query';

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

export function photoResource(row: PhotoRow, author: Person, canDelete: boolean, wire: WireFormat): PhotoResource {
  return {
    id: wire.id('photo', row.id),
    url: wire.media(row.key),
    thumb_url: wire.thumb(row.key),
    width: row.width,
    height: row.height,
    author: personResource(author, wire),
    viewer: { can_delete: canDelete },
    created_at: toWire(row.created_at),
  };
}
