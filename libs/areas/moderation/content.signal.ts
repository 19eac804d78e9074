import type { Content } from './contents';

/** Raised after an object was removed from view, in the same transaction. */
export class ContentRemoved {
  constructor(readonly content: Content) {}
}

/** Raised after an object was restored, in the same transaction. */
export class ContentRestored {
  constructor(readonly content: Content) {}
}
