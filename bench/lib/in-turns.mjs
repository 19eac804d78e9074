// Measures several kinds of requests to one service alternately, so that other load on the machine affects all kinds
// equally.
import { load, percentile } from './load.mjs';
import { cpuDuring, median, verdict } from './service.mjs';

const WARM_UP_SECONDS = 1;

/**
 * `kinds`: name → {requests: [{path, token}], connections, perSecond?, goalP99Ms?}. After a warm-up, each kind runs for
 * `seconds` in total, in `rounds` rounds. Throws if a response has another status than 200. Returns name → a row for
 * `console.table`. The p99 of the response times is computed for each round, in milliseconds. The median of these
 * values is compared with the goal, because a shared machine pauses sometimes; the highest value is returned too.
 * Processor time is in milliseconds per response.
 */
export async function timedInTurns(kinds, { service, postmaster, seconds, rounds }) {
  const once = async ({ requests, connections, perSecond }, duration) => {
    const { latencies, refused } = await load({
      origin: service.origin,
      requests,
      connections,
      perSecond,
      seconds: duration,
    });
    if (refused > 0) throw new Error(`${refused} responses did not have the status 200`);
    return latencies;
  };
  const measured = Object.fromEntries(Object.keys(kinds).map((name) => [name, { rounds: [], node: 0, database: 0 }]));
  for (const kind of Object.values(kinds)) await once(kind, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const [name, kind] of Object.entries(kinds)) {
      const sum = measured[name];
      const { result, node, database } = await cpuDuring({ pid: service.pid, postmaster }, () =>
        once(kind, seconds / rounds),
      );
      sum.rounds.push(result);
      sum.node += node;
      sum.database += database;
    }
  }
  return Object.fromEntries(
    Object.entries(measured).map(([name, sums]) => [name, rowOf(sums, seconds, kinds[name].goalP99Ms)]),
  );
}

function rowOf({ rounds, node, database }, seconds, goal) {
  const requests = rounds.reduce((sum, latencies) => sum + latencies.length, 0);
  const percentiles = (share) => rounds.map((latencies) => Number(percentile(latencies, share).toFixed(1)));
  const cpu = (microseconds) => Number((microseconds / 1000 / requests).toFixed(2));
  const p99 = median(percentiles(0.99));
  return {
    requests,
    per_second: Math.round(requests / seconds),
    p50_ms: median(percentiles(0.5)),
    p99_ms: p99,
    worst_p99_ms: Math.max(...percentiles(0.99)),
    node_cpu_ms: cpu(node),
    database_cpu_ms: cpu(database),
    goal: goal === undefined ? '' : `p99 below ${goal}: ${verdict(p99 < goal)}`,
  };
}
