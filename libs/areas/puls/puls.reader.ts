import { Injectable } from '@nestjs/common';
import type { Caller } from '../identity/caller.reader';
import type { PulsFeedQueryDto } from './puls.dto';
import { PulsService, type PulsFeed } from './puls.service';

/** Puls for the pages. */
@Injectable()
export class PulsReader {
  constructor(private readonly puls: PulsService) {}

  /** Active posts around a place, nearest first, as the caller may see them. */
  around(caller: Caller, query: PulsFeedQueryDto): Promise<PulsFeed> {
    return this.puls.feed(caller, query);
  }
}
