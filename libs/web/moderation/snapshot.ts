import type { ReportSubject } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { plainText } from '#platform/text/html';

/** Words of a snapshot that are shown, in this order; pictures are shown apart. */
const WORDS = ['title', 'name', 'nickname', 'excerpt', 'body', 'description', 'starts_at', 'location', 'location_name', 'location_address', 'ticket_url'] as const;
const PICTURES = ['key', 'image_key', 'avatar_key', 'cover_key'] as const;

export interface ShownSnapshot {
  readonly words: readonly { readonly name: string; readonly text: string }[];
  /** Addresses; 404 once it is out of sight. */
  readonly pictures: readonly string[];
  readonly video: string | null;
}

/** Of these kinds texts are HTML. */
const RICH: readonly ReportSubject[] = ['event', 'series', 'post', 'puls'];

/** A thing as it was reported, as plain text. */
export function shownSnapshot(type: ReportSubject, snapshot: Readonly<Record<string, unknown>> | null, wire: WireFormat): ShownSnapshot {
  const of = (name: string): string | null => (typeof snapshot?.[name] === 'string' ? snapshot[name] : null);
  return {
    words: WORDS.flatMap((name) => {
      const text = of(name);
      return text === null || text === '' ? [] : [{ name, text: RICH.includes(type) && (name === 'body' || name === 'description') ? plainText(text) : text }];
    }),
    pictures: PICTURES.flatMap((name) => of(name) ?? []).map((key) => wire.thumb(key)),
    video: of('video_key') === null ? null : wire.media(of('video_key') as string),
  };
}
