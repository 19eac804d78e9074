import { Injectable, type PipeTransform } from '@nestjs/common';
import { Refusal } from './refusal';

/** `@Param('slug', SlugPipe) slug: string`: 404 for what no slug can be and the database could not even be asked for. */
@Injectable()
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.includes('\u0000')) throw new Refusal('not_found');
    return value;
  }
}
