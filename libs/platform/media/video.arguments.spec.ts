import { packetsOf } from './video.arguments';

const TICKS = 90_000;

/** The output of ffmpeg for a video with this frame rate: the packets of its first two seconds, and its duration. */
const packetList = (rate: number) => ({
  stdout: [
    `#tb 0: 1/${TICKS}`,
    '#dimensions 0: 1920x1080',
    ...Array.from({ length: rate * 2 + 1 }, (_, n) => `0, 0, ${Math.round((n * TICKS) / rate)}, 1, 100, 0x0`),
    '',
  ].join('\n'),
  stderr: '  Duration: 01:02:03.50, start: 0.000000',
});

// PULS-14
describe('the frame rate of a converted video', () => {
  it.each([
    [24, 24],
    [30, 30],
    [31, 31],
    [32, 16],
    [60, 30],
    [62, 31],
    [63, 21],
    [120, 30],
    [240, 30],
    [12, 12],
    // A rate below 12 is raised to 30 by repeating frames.
    [11, 30],
    [1, 30],
  ])('for an original with %d frames a second is %d', (rate, expected) =>
    expect(packetsOf(packetList(rate))?.rate).toBe(expected),
  );
});

// PULS-13
describe('the parsed packet list of a video', () => {
  it('contains the number of frames, the pixels, the frame rate and the duration', () =>
    expect(packetsOf(packetList(24))).toEqual({ frames: 49, pixels: 1920 * 1080, rate: 24, seconds: 3723.5 }));

  it('has the duration 0 if the container contains none', () =>
    expect(packetsOf({ ...packetList(24), stderr: '  Duration: N/A, start: 0' })).toMatchObject({ seconds: 0 }));

  it('is null if the list has no frame, no dimensions or no time base', () => {
    const { stdout } = packetList(24);
    for (const part of [/^0,.*$/gm, /^#dimensions.*$/m, /^#tb.*$/m])
      expect(packetsOf({ stdout: stdout.replace(part, ''), stderr: '' })).toBeNull();
  });
});
