import type { Content } from './contents';

/** Raised when something was taken out of sight, after it was. */
export class ContentRemoved {
  constructor(readonly content: Content) {}
}

/** Raised when something is back in sight. */
export class ContentRestored {
  constructor(readonly content: Content) {}
}
