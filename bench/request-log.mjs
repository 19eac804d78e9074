// Measures the cost of the request log. The same reads are sent alternately to a server with the log and to a server
// without it. Both servers use one database.
//   npm run bench -- request-log [--rounds 6] [--seconds 3]
import { parseArgs } from 'node:util';
import { pairedCost, printCost, usualReads, withService } from './lib/paired.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: { rounds: { type: 'string', default: '6' }, seconds: { type: 'string', default: '3' } },
});
/** The goal: the reads cost at most this many times as much with the log as without it. */
const MAX_RATIO = 1.03;

await withService(async ({ tokens, events, start, postmaster }) => {
  const requests = usualReads(tokens[0], [events.first, events.last]);
  const variants = {
    'without a log': { service: await start({ REQUEST_LOG: 'off' }), requests },
    'with the log': { service: await start(), requests },
  };
  const table = await pairedCost(variants, {
    postmaster,
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
  });
  printCost(table, ['without a log', 'with the log'], MAX_RATIO);
});
