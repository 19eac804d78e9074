import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** This timeout is short, because Prometheus by default waits only ten seconds for all metrics together. */
const TIMEOUT_MS = 3_000;

/** The time at which the certificate of an https address expires, whether or not the certificate is valid. */
export function certificateEnd(address: URL): Promise<Date> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(address.port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
    });
    const timer = setTimeout(() => socket.destroy(new Error('the server does not answer')), TIMEOUT_MS);
    socket
      .once('secureConnect', () => {
        const end = new Date(socket.getPeerCertificate().valid_to);
        socket.end();
        if (Number.isNaN(end.getTime())) reject(new Error('the server has no certificate'));
        else resolve(end);
      })
      .once('error', reject)
      .once('close', () => clearTimeout(timer));
  });
}
