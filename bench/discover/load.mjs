// Sends requests over CONNECTIONS kept-alive connections for SECONDS and prints what came back, as JSON. The client must cost
// little, since it shares a core with PostgreSQL: bare sockets, and of the answer only status and length are read.
import { connect } from 'node:net';

const { origin, requests, connections, seconds } = JSON.parse(process.argv[2]);
const { port, host } = new URL(origin);
const wire = requests.map(({ path, token }) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\nauthorization: Bearer ${token}\r\n\r\n`));
const latencies = [];
let refused = 0;
let bytes = 0;
let next = 0;
const since = performance.now();
const until = since + seconds * 1000;

function one() {
  return new Promise((done, failed) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.setNoDelay(true);
    let started = 0;
    let missing = -1;
    let head = '';
    const send = () => {
      started = performance.now();
      if (started >= until) return void socket.end();
      missing = -1;
      head = '';
      socket.write(wire[next++ % wire.length]);
    };
    socket.on('connect', send).on('error', failed).on('close', done);
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (missing < 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2));
        if (!length) return failed(new Error(`an answer without a length: ${head.slice(0, 200)}`));
        if (!head.startsWith('HTTP/1.1 200')) refused++;
        missing = Number(length[1]) - (head.length - end - 4);
      } else missing -= chunk.length;
      if (missing > 0) return;
      latencies.push(performance.now() - started);
      send();
    });
  });
}

await Promise.all(Array.from({ length: connections }, one));
const took = performance.now() - since;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(JSON.stringify({ requests: latencies.length, rps: latencies.length / (took / 1000), p50: at(0.5), p99: at(0.99), refused, megabytes: bytes / 1e6 }));
