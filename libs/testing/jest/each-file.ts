import { resetClocks } from '../movable-clock';

/** Runs for every test file before its tests are collected. */
module.exports = function setUpFile(): void {
  afterEach(resetClocks);
};
