import type { ReportSubject } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
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
  /** The addresses of the pictures. The server answers 404 there while the reported object is hidden. */
  readonly pictures: readonly string[];
  readonly video: string | null;
}

/** Kinds of reported objects whose `body` and `description` are HTML. */
const HTML_KINDS: readonly ReportSubject[] = ['event', 'series', 'post', 'puls'];

/** Converts the snapshot of a reported object to plain texts and to the addresses of the object's files. */
export function shownSnapshot(
  type: ReportSubject,
  snapshot: Readonly<Record<string, unknown>> | null,
  wire: WireFormat,
): ShownSnapshot {
  const textField = (name: string): string | null => (typeof snapshot?.[name] === 'string' ? snapshot[name] : null);
  return {
    texts: TEXT_FIELDS.flatMap((name) => {
      const text = textField(name);
      return text === null || text === ''
        ? []
        : [
            {
              name,
              label: `moderation_field_${name}` as const,
              text: HTML_KINDS.includes(type) && (name === 'body' || name === 'description') ? textOfHtml(text) : text,
            },
          ];
    }),
    pictures: [...PICTURE_FIELDS.flatMap((name) => textField(name) ?? []), ...imagesOf(snapshot)].map((key) =>
      wire.thumb(key),
    ),
    video: textField('video_key') === null ? null : wire.media(textField('video_key') as string),
  };
}

/** The keys of an event's images, the primary image first. */
function imagesOf(snapshot: Readonly<Record<string, unknown>> | null): string[] {
  const images = Array.isArray(snapshot?.images) ? (snapshot.images as { key: string; is_primary?: boolean }[]) : [];
  return images
    .toSorted((one, other) => Number(other.is_primary ?? false) - Number(one.is_primary ?? false))
    .map(({ key }) => key);
}
