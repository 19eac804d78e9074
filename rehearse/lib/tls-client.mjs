// Sends requests as external clients do: over TLS and to a host name. The name needs no DNS entry, because every
// connection goes to 127.0.0.1; the name is only the TLS server name and the header Host.
import { request } from 'node:https';

/**
 * Returns `ask(method, path, {headers, body, from, onPart})`, which resolves to {status, headers, text}. `from` is the
 * IP address from which the request is sent. With `onPart`, `ask` resolves to {status, headers, end()} as soon as the
 * head of the response has arrived, and calls `onPart` with each part of the body; `end()` closes the connection.
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
