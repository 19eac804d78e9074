import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { OperatorError } from '#platform/config/operator-error';
import { UsersReader } from '../identity/users.reader';
import { PulsCommands } from '../puls/puls.commands';
import { AppliedPulsDto } from './apply.dto';
import { attempt } from './attempt';
import { type DocumentErrors, readObjectAt, withLocation } from './document';

/** A validated post of the document. */
export interface AppliedPuls {
  /** The position in error messages, such as `puls.0`. */
  readonly where: string;
  readonly post: AppliedPulsDto;
}

/** The result for one post. */
export interface PulsResult {
  id: string;
}

/**
 * The `puls` of an apply document: posts with a text and a place on the map, without files. The limits of an account do
 * not apply to these posts. If the document is applied again, the posts are created again.
 */
@Injectable()
export class ApplyPuls {
  constructor(
    private readonly users: UsersReader,
    private readonly puls: PulsCommands,
    private readonly wire: WireFormat,
  ) {}

  async read(value: unknown, where: string, errors: DocumentErrors): Promise<AppliedPuls | undefined> {
    const post = await readObjectAt(AppliedPulsDto, value, where, errors);
    return post && { where, post };
  }

  async write(tx: Transaction, posts: readonly AppliedPuls[], errors: DocumentErrors): Promise<PulsResult[]> {
    const results: PulsResult[] = [];
    for (const one of posts) {
      if (errors.isUnusable(one.post.author)) continue;
      const id = await attempt(tx, errors, () => this.create(tx, one));
      if (id !== undefined) results.push({ id: this.wire.id('puls', id) });
    }
    return results;
  }

  private async create(tx: Transaction, { where, post }: AppliedPuls): Promise<number> {
    const { author, location_name: locationName, created_at: createdAt, ...rest } = post;
    const authorId = await this.users.idOf(tx, author);
    if (authorId === null) throw new OperatorError(`${where}: there is no user ${author}.`);
    return this.puls
      .import(tx, authorId, { ...rest, locationName, createdAt: createdAt ?? undefined })
      .catch((error: unknown) => {
        throw withLocation(error, where);
      });
  }
}
