import { basePathOf } from '#platform/config/base-path';
import { WireFormat } from '#platform/http/wire-format';
import { OEMBED_TYPE, type Alternate } from '../view';
import { parseUrl } from '#platform/text/url';

/** The kinds of objects that other sites can show in a frame. The addresses of the objects contain these names. */
const KINDS = ['events', 'groups', 'people'] as const;

export type FramedKind = (typeof KINDS)[number];

/**
 * The object of this service to which an address belongs. `id` is an id or a slug. Only the address was read, so the
 * object may not exist.
 */
export interface Framed {
  readonly kind: FramedKind;
  readonly id: string;
}

const PATH = new RegExp(`^/(?:embed/)?(${KINDS.join('|')})/([\\w.~-]+)/?$`);

/** Parses the address of an object's page or frame. Returns null for any other address. */
export function framedAt(address: string, wire: WireFormat): Framed | null {
  const url = parseUrl(address);
  const home = new URL(wire.page('/'));
  const base = basePathOf(home.href);
  if (url?.origin !== home.origin || url.username || url.password || !url.pathname.startsWith(`${base}/`)) return null;
  const [, kind, id] = PATH.exec(url.pathname.slice(base.length)) ?? [];
  return kind && id ? { kind: kind as FramedKind, id } : null;
}

export function frameAddress({ kind, id }: Framed, wire: WireFormat): string {
  return wire.page(`/embed/${kind}/${id}`);
}

/** The link in a public page with which other sites find the frame of this page. */
export function oembedLink(page: string, title: string, wire: WireFormat): Alternate {
  return { type: OEMBED_TYPE, href: wire.page(`/oembed?url=${encodeURIComponent(page)}`), title };
}
