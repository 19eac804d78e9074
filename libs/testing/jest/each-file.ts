import { resetClocks } from '../movable-clock';

/** This function runs for every test file, before the tests of the file are collected. */
module.exports = function setUpFile(): void {
  afterEach(resetClocks);
};
