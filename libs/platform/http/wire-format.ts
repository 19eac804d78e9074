import { Injectable } from '@nestjs/common';
import { posterOf, thumbOf, type MediaKey } from '../media/media-key';
import { PublicIds, type PublicIdKind } from './public-ids';

/** What resource functions need to turn rows into JSON: ids, links, addresses of stored files. */
@Injectable()
export class WireFormat {
  constructor(
    readonly ids: PublicIds,
    private readonly baseUrl: string,
  ) {}

  id(kind: PublicIdKind, id: number | string): string {
    return this.ids.encode(kind, Number(id));
  }

  idOrNull(kind: PublicIdKind, id: number | string | null): string | null {
    return id === null ? null : this.id(kind, id);
  }

  /** An absolute link to a page of this service: `page('/events/', hashid)`. */
  page(path: string): string {
    return this.baseUrl + path;
  }

  /** The address of a stored file, by its key. */
  media(key: MediaKey): string {
    return `${this.baseUrl}/media/${key}`;
  }

  mediaOrNull(key: MediaKey | null): string | null {
    return key === null ? null : this.media(key);
  }

  /** The address of a picture's small version, by the picture's key. */
  thumb(key: MediaKey): string {
    return this.media(thumbOf(key));
  }

  thumbOrNull(key: MediaKey | null): string | null {
    return key === null ? null : this.thumb(key);
  }

  /** The address of a video's still picture, by the video's key. */
  posterOrNull(key: MediaKey | null): string | null {
    return key === null ? null : this.media(posterOf(key));
  }
}
