import { resetClocks } from '../movable-clock';
import { useCheapPasswordHashes } from '../password-hashes';

/** This function runs for every test file, before the tests of the file are collected. */
module.exports = function setUpFile(): void {
  useCheapPasswordHashes();
  afterEach(resetClocks);
};
