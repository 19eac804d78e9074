// Sends requests in the same way as external clients: over TLS, to a host name that only this process can resolve, from
// a given IP address.
import { request } from 'node:https';

/**
 * Returns `ask(method, path, {headers, body, from, onPart})`, which resolves to {status, headers, text}. With `onPart`,
 * it resolves to {status, headers, end()} as soon as the head of the response has arrived.
 */
export function tlsClient(name, port, ca) {
  return (method, path, { headers = {}, body, from, onPart } = {}) =>
    new Promise((done, failed) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          servername: name,
          ca,
          method,
          path,
          localAddress: from,
          agent: false,
          headers: {
            host: name,
            ...headers,
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          },
        },
        (answer) => {
          const { statusCode: status, headers: responseHeaders } = answer;
          answer.setEncoding('utf8').on('error', failed);
          if (onPart) {
            answer.on('data', onPart);
            done({ status, headers: responseHeaders, end: () => outgoing.destroy() });
            return;
          }
          let text = '';
          answer.on('data', (part) => (text += part)).on('end', () => done({ status, headers: responseHeaders, text }));
        },
      );
      outgoing.on('error', failed);
      outgoing.end(body);
    });
}
