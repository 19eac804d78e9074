import type { NoticeAbout } from '#areas/notifications/notices.reader';
import type { AccountTab } from './account-tabs';

/**
 * The Open Graph data of a page, which other sites show with a link to the page. The layout of a page without this data
 * asks search engines not to index the page.
 */
export interface Social {
  readonly title: string;
  readonly type: 'website' | 'article' | 'profile';
  readonly url: string;
  readonly description: string;
  readonly image: SocialImage | null;
}

/** A picture that other sites show for a link. Width and height are in pixels, if known. */
export interface SocialImage {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

export function imageOf(url: string | null): SocialImage | null {
  return url === null ? null : { url };
}

/** The page's content in another format, for programs: a calendar, a feed or oEmbed data. */
export interface Alternate {
  readonly type: typeof CALENDAR_TYPE | typeof ATOM_TYPE | typeof OEMBED_TYPE;
  readonly href: string;
  readonly title: string;
}

export const CALENDAR_TYPE = 'text/calendar';
export const ATOM_TYPE = 'application/atom+xml';
export const OEMBED_TYPE = 'application/json+oembed';

/** The view of all error pages. */
export const ERROR_PAGE = 'error';

/** The values that `Pages.render` adds to each view. A controller cannot pass a value with one of these names. */
export type AddedValue =
  | 'base'
  | 'calendarLinks'
  | 'csrf'
  | 'editorWords'
  | 'erasureDueAt'
  | 'flash'
  | 'flashAt'
  | 'flashKey'
  | 'goneName'
  | 'here'
  | 'label'
  | 'locale'
  | 'locales'
  | 'maintenance'
  | 'mapTiles'
  | 'nameOf'
  | 'operatorPages'
  | 'padding'
  | 'say'
  | 'tabs'
  | 'time'
  | 'unread'
  | 'user'
  | 'waiting';

/** The values of a view, and the values that the layout needs. */
export interface Content extends Readonly<Partial<Record<AddedValue, never>>> {
  readonly title: string;
  /** The heading of the page, if it differs from `title` (`partOf`). */
  readonly heading?: string;
  /** The tab of an account page. */
  readonly tab?: AccountTab;
  /** The entry of the navigation in the site's header to which the page belongs. */
  readonly section?: 'explore' | 'new' | 'groups' | 'posts' | 'puls';
  /** Whether the page is wide. Lists and pages with two columns are wide. */
  readonly wide?: boolean;
  readonly social?: Social;
  readonly alternates?: readonly Alternate[];
  /** Structured data for search engines: JSON that is safe in a script element. */
  readonly jsonLd?: string;
  /** The subject of the page: opening the page marks notices about this subject as read (NOTE-10). */
  readonly about?: NoticeAbout;
  /**
   * The form token of an expired form that is sent again. The default is a new token for a signed-in reader, and an
   * empty text for a visitor.
   */
  readonly openedBy?: string;
  /** Whether the page has a form that visitors without an account can use too. */
  readonly hasVisitorForm?: boolean;
  /** Whether the page has no form at all, not even the form for signing out. */
  readonly hasNoForm?: boolean;
  /** Addresses of the previous and the next page of a list. */
  readonly neighbours?: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[];
  readonly [value: string]: unknown;
}

/** The result of a handler that answers with an HTML page. */
export class View {
  constructor(
    /** The name of a file in libs/web/views, without its ending. */
    readonly name: string,
    readonly content: Content,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Returns a copy of this view with only these response headers, for example `Retry-After` after a refusal. */
  withHeaders(headers: Readonly<Record<string, string>>): View {
    return new View(this.name, this.content, this.status, headers);
  }
}

/**
 * The title and the heading of a page about a part of an object, for example the people of an event. The title names
 * both. The heading names only the part, because a link to the object is above it (`back.eta`).
 */
export function partOf(object: string, part: string): Required<Pick<Content, 'title' | 'heading'>> {
  return { title: `${part}: ${object}`, heading: part };
}

/** A handler returns `view('sessions', { title, sessions })`, and `PageInterceptor` renders the page. */
export function view(name: string, content: Content, status = 200): View {
  return new View(name, content, status);
}
