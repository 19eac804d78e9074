import { writeFile } from 'node:fs/promises';
import { decode, type PixelShape } from './decoder';

/**
 * Decodes the picture in the file `picture`, writes its pixels to the file `pixels`, and prints the width, the height
 * and the number of channels as JSON. `decodeInChildProcess` starts this program.
 */
async function main([picture, pixels]: string[]): Promise<void> {
  if (picture === undefined || pixels === undefined) throw new Error('Two files are needed.');
  const { data, ...shape } = await decode(picture);
  await writeFile(pixels, data);
  process.stdout.write(JSON.stringify(shape satisfies PixelShape));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
