import { Injectable, type PipeTransform } from '@nestjs/common';
import { Refusal } from './refusal';

/**
 * `@Param('slug', SlugPipe) slug: string` causes a 404 for a text with a NUL character, which the database refuses as a
 * parameter.
 */
@Injectable()
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.includes('\u0000')) throw new Refusal('not_found');
    return value;
  }
}
