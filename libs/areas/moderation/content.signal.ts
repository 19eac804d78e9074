import type { Content } from './contents';

/** Raised after an object was removed from view. */
export class ContentRemoved {
  constructor(readonly content: Content) {}
}

/** Raised after an object was restored. */
export class ContentRestored {
  constructor(readonly content: Content) {}
}
