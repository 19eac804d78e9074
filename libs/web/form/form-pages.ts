import { Injectable } from '@nestjs/common';
import { pathOf } from '#platform/http/paths';
import { RouteTable } from '#platform/http/routes';

/** Finds the pages of forms. */
@Injectable()
export class FormPages {
  constructor(private readonly routes: RouteTable) {}

  /**
   * Returns the path of the page to which a form belongs: the path to which the form is sent, if it has a page, and
   * otherwise the nearest page above it (PAGE-116).
   */
  pageOf(url: string): string {
    const path = pathOf(url);
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end);
      if (this.routes.allowedMethods(above).includes('GET')) return above;
    }
    return '/';
  }
}
