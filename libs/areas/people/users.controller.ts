import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { PersonResource } from '../identity/person.resource';
import { SearchUsersQueryDto } from './people.dto';
import { PeopleReader } from './people.reader';
import { ProfileResource } from './profile.resource';
import { SearchesCommands } from './searches.commands';

/** The search for people, and their profiles (docs/rules/people.md). */
@ApiTags('People')
@Controller('users')
export class UsersController {
  constructor(
    private readonly people: PeopleReader,
    private readonly rate: SearchesCommands,
  ) {}

  /**
   * Finds people by name, nickname or slug. Every word of `q` must be the beginning of a word in the person's name,
   * nickname or slug. People with more exact matches come first; people with the same number of them are sorted by
   * name. An exact match is a word of `q` that is a whole word of the person's name, nickname or slug. The search omits
   * you, banned people, people who are not searchable, people who block you, and people whom you block. An account has
   * 30 searches a minute; each further page also counts as a search.
   */
  @Get()
  @AnswersPage(PersonResource)
  @Refuses('too_many_requests')
  async searchUsers(
    @CurrentCaller() caller: Caller,
    @QueryInput(SearchUsersQueryDto) input: Input<SearchUsersQueryDto>,
  ): Promise<Page<PersonResource>> {
    const query = input.read();
    await this.rate.countSearch(caller.id);
    return this.people.search(caller, query);
  }

  /**
   * Shows a person. You see yourself, searchable people, people whose names are on public content, and people who share
   * an event or a group with you. For everybody else, and for a banned person, you get 404.
   */
  @Get(':slug')
  @Answers(ProfileResource)
  async getUserProfile(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
  ): Promise<One<ProfileResource>> {
    return one(await this.people.profile(caller, slug));
  }
}
