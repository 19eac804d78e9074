import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { IntegerField } from './fields';

/** Query of every paginated list: `page` from 1, `per_page` 1-100, 20 unless told (api-spec, "Conventions"). */
export class PageQueryDto {
  @IntegerField(LIMITS.pagination.page)
  page?: number;

  @IntegerField(LIMITS.pagination.per_page)
  per_page?: number;
}

/** A window of a list as SQL wants it. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** What a reader answers: the rows of one page and the number of all. */
export interface Rows<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Laravel's length-aware paginator on the wire. */
export interface PageBody<Item> {
  data: Item[];
  links: { first: string; last: string; prev: string | null; next: string | null };
  meta: {
    current_page: number; from: number | null; last_page: number; path: string; per_page: number; to: number | null; total: number;
  };
}

export function sliceOf(query: PageQueryDto): Slice {
  const limit = query.per_page ?? LIMITS.pagination.per_page.default;
  return { limit, offset: Math.min(((query.page ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER) };
}

/** Makes pages for one request: links are absolute and keep the request's other query parameters. */
export class Paginator {
  constructor(
    private readonly baseUrl: string,
    private readonly url: string,
  ) {}

  page<Item>(query: PageQueryDto, rows: Rows<Item>): PageBody<Item> {
    const perPage = query.per_page ?? LIMITS.pagination.per_page.default;
    const current = query.page ?? 1;
    const last = Math.max(1, Math.ceil(rows.total / perPage));
    const from = rows.items.length === 0 ? null : (current - 1) * perPage + 1;
    const { path, link } = this.links();
    return {
      data: [...rows.items],
      links: {
        first: link(1),
        last: link(last),
        prev: current > 1 ? link(Math.min(current - 1, last)) : null,
        next: current < last ? link(current + 1) : null,
      },
      meta: {
        current_page: current,
        from,
        last_page: last,
        path,
        per_page: perPage,
        to: from === null ? null : from + rows.items.length - 1,
        total: rows.total,
      },
    };
  }

  private links(): { path: string; link: (page: number) => string } {
    const [pathname = '', search = ''] = splitOnce(this.url);
    const path = this.baseUrl + pathname;
    const others = search.split('&').filter((part) => part !== '' && !new URLSearchParams(part).has('page')).map((part) => `${part}&`).join('');
    return { path, link: (page) => `${path}?${others}page=${page}` };
  }
}

function splitOnce(url: string): [string, string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** `@Pages() pages: Paginator` on a handler that answers with a list. */
export const Pages = createParamDecorator((_: unknown, context: ExecutionContext): Paginator => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return new Paginator(request.server.baseUrl, request.url);
});

declare module 'fastify' {
  interface FastifyInstance {
    /** Public origin for every link, without a slash at its end; set by server.setup.ts. */
    baseUrl: string;
  }
}
