import { Inject, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Transaction } from '../database/database';

/** Code of a higher area that runs when a lower area raises a signal, in the same transaction. */
export interface Reaction<Signal extends object> {
  react(tx: Transaction, signal: Signal): Promise<void>;
}

/** One entry in the list of reactions: the class of a signal, and the class of one reaction to it. */
export interface ReactionEntry {
  readonly to: Type<object>;
  readonly by: Type<Reaction<never>>;
}

/** Creates a typed entry: `reaction(EventDeleted, DeleteGalleryFiles)`. */
export function reaction<Signal extends object>(to: Type<Signal>, by: Type<Reaction<Signal>>): ReactionEntry {
  return { to, by };
}

const REACTIONS = Symbol('REACTIONS');

/**
 * Lets lower areas call higher areas without importing them: a lower area raises a signal, and higher areas react. All
 * reactions run in the transaction that raised the signal, in the order of one list (libs/areas/reactions.ts). If a
 * reaction fails, the transaction is rolled back.
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
