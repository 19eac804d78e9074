import { Injectable } from '@nestjs/common';
import { pathOf } from '#platform/http/paths';
import { RouteTable } from '#platform/http/routes';

/** Finds the pages of forms. */
@Injectable()
export class FormPages {
  constructor(private readonly routes: RouteTable) {}

  /**
   * Returns the path of the page to which a form belongs (PAGE-116). This is the path to which the form is sent, if
   * this path has a page; otherwise it is the nearest path above that has a page.
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
