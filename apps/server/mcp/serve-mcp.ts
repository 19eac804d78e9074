import { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Admission } from '#areas/identity/admission';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { answerError } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import { localeOf, withoutCors } from '#platform/http/wire-headers';
import { MCP_PATH } from '#platform/http/paths';
import type { DailyDocument } from '../docs/daily-document';
import type { McpTools } from './mcp-tools';

/**
 * Adds the endpoint for the Model Context Protocol (MCP-1 to MCP-8), implemented with the official library. `Admission`
 * checks the requests in the same way as requests to the API. The endpoint itself checks the header `Origin`, the
 * scopes of the called tools, and the fields that the API cannot check (`refusalOfValues`). Each tool sends a request
 * to the API, which makes all other checks. The library is loaded at the first request. Call this function once, before
 * `app.init()`.
 */
export function serveMcp(app: NestFastifyApplication, today: DailyDocument): void {
  const settings = app.get(Settings);
  const admission = app.get(Admission);
  const { origin } = new URL(settings.baseUrl);
  let loaded: Promise<McpTools> | null = null;
  const tools = (): Promise<McpTools> =>
    (loaded ??= import('#apps/server/mcp/mcp-tools').then(
      ({ McpTools: Tools }) => new Tools(app, today, settings.baseUrl),
    ));

  void app
    .getHttpAdapter()
    .getInstance()
    .register(async (mcp) => {
      mcp.setErrorHandler((error, request, reply) => answerError(error, request, withoutCors(reply)));
      // Fastify does not parse the body, because the library parses it and responds to messages that are not JSON-RPC.
      mcp.removeAllContentTypeParsers();
      mcp.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: LIMITS.transport.json_body },
        (_request, body, done) => done(null, body),
      );
      mcp.addHook('onRequest', async (request, reply) => {
        withoutCors(reply).headers({ 'cache-control': 'no-store', vary: 'Authorization, Accept-Language' });
        const sentOrigin = request.headers.origin;
        if (sentOrigin !== undefined && sentOrigin !== origin) throw new Refusal('forbidden');
        await admission.admit(request, reply);
        void reply.header('content-language', localeOf(request));
        // The header Idempotency-Key applies to the request that the tool sends to the API, not to the MCP request.
        Object.assign(request, { idempotencyKey: null, sealedResponse: null });
      });
      mcp.route({
        // The route accepts all methods, so that the header Origin of preflight requests (OPTIONS) is checked too. The
        // library refuses all methods except POST.
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
        url: MCP_PATH,
        config: { hasOwnScopes: true },
        handler: async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : undefined;
          const mcpTools = await tools();
          mcpTools.refuseMissingScopes(request, body);
          return send(await mcpTools.serve(request, body), reply);
        },
      });
    });
}

function send(answer: Response, reply: FastifyReply): FastifyReply {
  void reply.code(answer.status);
  for (const [name, value] of answer.headers) void reply.header(name, value);
  if (!answer.body) return reply.send();
  return reply.send(Readable.fromWeb(answer.body));
}
