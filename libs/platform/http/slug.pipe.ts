import { Injectable, type PipeTransform } from '@nestjs/common';
import { Refusal } from './refusal';

/**
 * Throws 404 for a slug with a NUL character, which the database refuses as a parameter. The pipe is used as
 * `@Param('slug', SlugPipe) slug: string`.
 */
@Injectable()
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.includes('\u0000')) throw new Refusal('not_found');
    return value;
  }
}
