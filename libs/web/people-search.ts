import { Injectable } from '@nestjs/common';
import type { PersonResource } from '#areas/identity/person.resource';
import { SearchUsersQueryDto } from '#areas/people/people.dto';
import { PeopleReader } from '#areas/people/people.reader';
import { SearchesCommands } from '#areas/people/searches.commands';
import { Input } from '#platform/http/input';
import { formRefusal } from './form/form-refusal';
import { plainForm, text } from './form/plan';
import { errorsForPeople } from './forms';
import type { Member } from './page.decorators';

const MAX_FOUND = 10;

/** The form that invites a person to an event or a group. Its field contains the address of the person's profile. */
export const INVITE = plainForm('invite', text('user', 'people_slug', { required: true, hint: 'people_slug_hint' }));

/**
 * The people that a search found (absent if no search was made), the errors of the field `q`, and the status of the
 * page.
 */
interface PeopleFound {
  readonly found?: readonly PersonResource[];
  readonly errors: Readonly<Record<string, string>>;
  readonly status: number;
  /** The headers of a refusal (`Retry-After`). */
  readonly headers: Readonly<Record<string, string>>;
}

export const slugsOf = (people: readonly PersonResource[]): string[] => people.map(({ slug }) => slug);

/**
 * The search for people to invite to an event or a group. It counts towards the account's limit on searches (PEO-6).
 */
@Injectable()
export class PeopleSearch {
  constructor(
    private readonly people: PeopleReader,
    private readonly searches: SearchesCommands,
  ) {}

  /** If `q` was not sent or is invalid, no search is made or counted. */
  async find({ caller, locale }: Member, q: unknown): Promise<PeopleFound> {
    if (typeof q !== 'string') return { errors: {}, status: 200, headers: {} };
    const input = await Input.of(SearchUsersQueryDto, { q, per_page: String(MAX_FOUND) }, 'text');
    try {
      const query = input.read();
      await this.searches.countSearch(caller.id);
      return { found: (await this.people.search(caller, query)).items, errors: {}, status: 200, headers: {} };
    } catch (error) {
      const { status, headers, errors, ...refusal } = formRefusal(error, {}, locale);
      const shown = Object.keys(errors).length > 0 ? errorsForPeople(errors, locale) : { q: refusal.text };
      return { errors: shown, status, headers };
    }
  }
}
