import { Injectable } from '@nestjs/common';
import { posterOf, thumbOf, type MediaKey } from '../storage/media-key';
import { PublicIds, type PublicIdKind } from './public-ids';

/** Creates the ids, links and file addresses that resources contain. */
@Injectable()
export class WireFormat {
  constructor(
    readonly ids: PublicIds,
    private readonly baseUrl: string,
    /** The base URL of public files (OPS-57); null: public files have the same base URL as other files. */
    private readonly mediaBaseUrl: string | null = null,
  ) {}

  id(kind: PublicIdKind, id: number | string): string {
    return this.ids.encode(kind, Number(id));
  }

  idOrNull(kind: PublicIdKind, id: number | string | null): string | null {
    return id === null ? null : this.id(kind, id);
  }

  /** The absolute address of a web page of this service, by its path: `page('/groups/pRqLzMnd')`. */
  page(path: string): string {
    return this.baseUrl + path;
  }

  /** The address of a stored file with this key. Public files may have another base URL (OPS-57). */
  media(key: MediaKey, { isPublic = false } = {}): string {
    return `${isPublic && this.mediaBaseUrl !== null ? this.mediaBaseUrl : `${this.baseUrl}/media`}/${key}`;
  }

  mediaOrNull(key: MediaKey | null, visibility?: { isPublic: boolean }): string | null {
    return key === null ? null : this.media(key, visibility);
  }

  /** The address of a picture's thumbnail, by the picture's key. */
  thumb(key: MediaKey, visibility?: { isPublic: boolean }): string {
    return this.media(thumbOf(key), visibility);
  }

  thumbOrNull(key: MediaKey | null, visibility?: { isPublic: boolean }): string | null {
    return key === null ? null : this.thumb(key, visibility);
  }

  /** The address of a video's poster, by the video's key. */
  posterOrNull(key: MediaKey | null): string | null {
    return key === null ? null : this.media(posterOf(key));
  }
}
