import { Injectable } from '@nestjs/common';
import type { ReportSubject } from '#contract/vocabulary';
import { WireFormat } from '#platform/http/wire-format';
import { MediaFiles } from '#platform/media/media-files';
import { textOfHtml } from '#platform/text/html';
import type { TextKey } from '../texts';

/** Fields of a snapshot whose texts are shown, in this order. */
const TEXT_FIELDS = [
  'title',
  'name',
  'nickname',
  'excerpt',
  'body',
  'text',
  'description',
  'starts_at',
  'location',
  'location_name',
  'location_address',
  'ticket_url',
] as const;
const PICTURE_FIELDS = ['key', 'image_key', 'avatar_key', 'cover_key'] as const;

export interface ShownSnapshot {
  readonly texts: readonly { readonly name: string; readonly label: TextKey; readonly text: string }[];
  /** The addresses of the pictures that are neither hidden nor deleted. */
  readonly pictures: readonly string[];
  /** The address of the video; null if there is no video, or if it is hidden or deleted. */
  readonly video: string | null;
  /** Whether the snapshot names a picture or video that is now hidden or deleted. */
  readonly lacksFiles: boolean;
}

type Fields = Readonly<Record<string, unknown>> | null;

interface Snapshot {
  readonly subject_type: ReportSubject;
  readonly snapshot: Fields;
}

/** Kinds of reported objects whose `body` and `description` are HTML. */
const HTML_KINDS: readonly ReportSubject[] = ['event', 'series', 'post', 'puls'];

/** Converts the snapshots of reported objects to plain texts and to the addresses of the objects' files (MOD-61). */
@Injectable()
export class Snapshots {
  constructor(
    private readonly files: MediaFiles,
    private readonly wire: WireFormat,
  ) {}

  async one(row: Snapshot): Promise<ShownSnapshot> {
    return this.shown(row, await this.files.servedOf(filesOf(row.snapshot)));
  }

  /** Returns the rows, each with its shown snapshot. */
  async all<Row extends Snapshot>(rows: readonly Row[]): Promise<(Row & { readonly shown: ShownSnapshot })[]> {
    const served = await this.files.servedOf(rows.flatMap(({ snapshot }) => filesOf(snapshot)));
    return rows.map((row) => ({ ...row, shown: this.shown(row, served) }));
  }

  private shown({ subject_type: type, snapshot }: Snapshot, served: ReadonlySet<string>): ShownSnapshot {
    const video = textField(snapshot, 'video_key');
    return {
      texts: TEXT_FIELDS.flatMap((name) => {
        const text = textField(snapshot, name);
        if (text === null || text === '') return [];
        const isHtml = HTML_KINDS.includes(type) && (name === 'body' || name === 'description');
        return [{ name, label: `moderation_field_${name}` as const, text: isHtml ? textOfHtml(text) : text }];
      }),
      pictures: picturesOf(snapshot).flatMap((key) => (served.has(key) ? [this.wire.thumb(key)] : [])),
      video: video !== null && served.has(video) ? this.wire.media(video) : null,
      lacksFiles: filesOf(snapshot).some((key) => !served.has(key)),
    };
  }
}

function textField(snapshot: Fields, name: string): string | null {
  return typeof snapshot?.[name] === 'string' ? snapshot[name] : null;
}

function filesOf(snapshot: Fields): string[] {
  const video = textField(snapshot, 'video_key');
  return video === null ? picturesOf(snapshot) : [...picturesOf(snapshot), video];
}

/** The keys of the object's pictures; for an event, the primary image first. */
function picturesOf(snapshot: Fields): string[] {
  const images = Array.isArray(snapshot?.images) ? (snapshot.images as { key: string; is_primary?: boolean }[]) : [];
  return [
    ...PICTURE_FIELDS.flatMap((name) => textField(snapshot, name) ?? []),
    ...images
      .toSorted((one, other) => Number(other.is_primary ?? false) - Number(one.is_primary ?? false))
      .map(({ key }) => key),
  ];
}
