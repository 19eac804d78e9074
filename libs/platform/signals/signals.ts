import { Inject, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Transaction } from '../database/database';

/** A higher area's reaction to a signal, in the same transaction. */
export interface Reaction<Signal extends object> {
  react(tx: Transaction, signal: Signal): Promise<void>;
}

/** A line of the list of reactions: a signal's class and its reactions. */
export interface ReactionEntry {
  readonly to: Type<object>;
  readonly by: Type<Reaction<never>>;
}

/** Types one entry: `reaction(EventDeleted, DeleteGalleryFiles)`. */
export function reaction<Signal extends object>(to: Type<Signal>, by: Type<Reaction<Signal>>): ReactionEntry {
  return { to, by: by };
}

const REACTIONS = Symbol('REACTIONS');

/**
 * Calls from lower to higher areas without imports: a lower area raises a signal, and higher areas react. All reactions
 * are awaited in the raiser's transaction, in the order of one list (libs/areas/reactions.ts); a failure rolls
 * everything back.
 */
@Injectable()
export class Signals {
  constructor(
    @Inject(REACTIONS) private readonly reactions: readonly ReactionEntry[],
    private readonly modules: ModuleRef,
  ) {}

  async raise(tx: Transaction, signal: object): Promise<void> {
    for (const { to, by } of this.reactions) {
      if (signal instanceof to) await this.modules.get(by, { strict: false }).react(tx, signal as never);
    }
  }
}

@Module({})
export class SignalsModule {
  static forRoot(reactions: readonly ReactionEntry[]): DynamicModule {
    return {
      module: SignalsModule,
      global: true,
      providers: [{ provide: REACTIONS, useValue: reactions }, Signals],
      exports: [Signals],
    };
  }
}
