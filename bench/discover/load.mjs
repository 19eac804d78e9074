// The client of the benchmark. It is a separate process, so that it can be pinned to a core. Its argument is the input
// of `load` as JSON. It prints its result as JSON for the parent process.
import { load, percentile } from '../lib/load.mjs';

const { latencies, rps, refused, bytes } = await load(JSON.parse(process.argv[2]));
const [p50, p99] = [0.5, 0.99].map((share) => percentile(latencies, share));
console.log(JSON.stringify({ requests: latencies.length, rps, p50, p99, refused, megabytes: bytes / 1e6 }));
