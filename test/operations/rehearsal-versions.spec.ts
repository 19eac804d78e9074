import { join } from 'node:path';

type LastRelease = (log: string) => string | undefined;

describe('the version from which a rehearsed upgrade starts', () => {
  let lastRelease: LastRelease;
  beforeAll(async () => {
    ({ lastRelease } = (await import(join(__dirname, '../../rehearse/lib/versions.mjs'))) as {
      lastRelease: LastRelease;
    });
  });

  it('is the newest commit whose subject begins with `release: `', () => {
    expect(
      lastRelease('d4 rehearse: find the last release: by its subject\nc3 release: 0.2.0\nb2 release: 0.1.0'),
    ).toBe('c3');
    expect(lastRelease('a1 first commit')).toBeUndefined();
  });
});
