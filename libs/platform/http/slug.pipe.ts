import { Injectable, type PipeTransform } from '@nestjs/common';
import { Refusal } from './refusal';

/**
 * `@Param('slug', SlugPipe) slug: string`: 404 for a text that cannot be a slug, also for one that the database would
 * reject as a parameter.
 */
@Injectable()
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.includes('\u0000')) throw new Refusal('not_found');
    return value;
  }
}
