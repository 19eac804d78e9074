import type { Content } from './contents';

/** Raised after a thing was removed from view. */
export class ContentRemoved {
  constructor(readonly content: Content) {}
}

/** Raised after a thing was restored. */
export class ContentRestored {
  constructor(readonly content: Content) {}
}
