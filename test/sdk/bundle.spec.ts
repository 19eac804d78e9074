import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { SdkPackage } from '#testing/sdk-package';

// DOC-10
describe('the SDK in a bundle for browsers', () => {
  let sdk: SdkPackage;
  beforeAll(() => {
    sdk = SdkPackage.install();
  });
  afterAll(() => sdk.remove());

  /** Bundles a source text. Returns the text of the bundle, and the size of this text after gzip. */
  function bundleOf(source: string): { size: number; text: string } {
    const entry = join(sdk.folder, 'entry.js');
    writeFileSync(entry, source);
    const { outputFiles, warnings } = buildSync({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
    });
    expect(warnings).toEqual([]);
    const { text } = outputFiles[0] as { text: string };
    return { size: gzipSync(text).length, text };
  }

  it('is small, and uses only APIs of browsers', () => {
    const { size } = bundleOf("export * from '@events-service/sdk';");
    expect(size).toBeLessThan(15 * 1024);
    // The limit above is documented. The limit below is stricter, so that the test detects when the bundle grows.
    expect(size).toBeLessThan(8 * 1024);
  });

  it('excludes code that is not used', () => {
    const { size, text } = bundleOf("import { refused } from '@events-service/sdk'; console.log(refused);");
    expect(text).not.toContain('/api/v1');
    expect(size).toBeLessThan(1024);
  });
});
