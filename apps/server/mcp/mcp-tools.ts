import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type InputRequiredResult,
  type McpHttpHandler,
  type ServerContext,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#areas/identity/caller.reader';
import { asSelfRequest } from '#platform/context/self-request';
import { envelopeOf, type ErrorBody } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import { localeOf } from '#platform/http/wire-headers';
import { refusalOfKeyArgument } from '#platform/retries/idempotency-key';
import type { DailyDocument } from '../docs/daily-document';
import { API, MCP_PATH } from '#platform/http/paths';
import { inputSchema } from './input-schema';
import { INSTRUCTIONS, NOT_CONFIRMED, QUESTIONS, TEXTS_ARE_DATA } from './mcp-texts';
import { missingScopes, toolsOf } from './allowed-tools';
import { applyShape } from './shapes';
import { toolAnswer, toolRefusal } from './tool-answer';
import { textOf, TOOLS, type Tool, type Values } from './tools';

const CONFIRM = 'confirm';
/** If a tool requires one of these fields, the value becomes a part of the path of the API request. */
const PATH_FIELDS = ['id', 'user'] as const;

/** Responds to MCP messages. A valid tool call sends a request to the API with the caller's token. */
export class McpTools {
  private toolDescriptions: ReadonlyMap<string, ListedTool> | null = null;
  private version: string | null = null;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly today: DailyDocument,
    private readonly baseUrl: string,
  ) {}

  /** Throws 403 `insufficient_scope` if the body calls a tool for which the token lacks a scope. */
  refuseMissingScopes(request: FastifyRequest, body: string | undefined): void {
    const called = calledTools(body);
    const missing = TOOLS.filter(({ name }) => called.includes(name)).flatMap((tool) => missingScopes(tool, request));
    if (missing.length > 0) throw new Refusal('insufficient_scope', { scope: [...new Set(missing)].join(' ') });
  }

  async serve(request: FastifyRequest, body: string | undefined): Promise<Response> {
    const handler: McpHttpHandler = createMcpHandler(() => this.serverFor(request));
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined) headers.set(name, [value].flat().join(', '));
    return handler.fetch(
      new Request(`${this.baseUrl}${MCP_PATH}`, {
        method: request.method,
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
  }

  private serverFor(request: FastifyRequest): Server {
    this.version ??= this.today.document.info.version;
    const server = new Server(
      { name: 'events', title: 'Events', version: this.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: toolsOf(request).map(({ name }) => this.descriptions.get(name) as ListedTool),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.call(request, params.name, params.arguments ?? {}, context),
    );
    return server;
  }

  private async call(
    request: FastifyRequest,
    name: string,
    sent: Values,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = toolsOf(request).find((one) => one.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    const { key, ...values } = sent;
    const hasKey = tool.writes && (key ?? null) !== null;
    const refusal = refusalOfValues(tool, values) ?? (hasKey ? refusalOfKeyArgument('key', textOf(key)) : null);
    if (refusal) return toolRefusal(envelopeOf(refusal, localeOf(request)).body, this.baseUrl);
    if (tool.writes && canAsk(context)) {
      const result = questionOrDenial(tool, values, request, context);
      if (result) return 'denied' in result ? toolRefusal(result.denied, this.baseUrl) : result;
    }
    const answer = await this.requestApi(request, tool, values, key);
    if (answer.status >= 400) return toolRefusal(answer.body, this.baseUrl);
    const shape = typeof tool.shape === 'function' ? tool.shape(values) : tool.shape;
    return toolAnswer(applyShape(answer.body ?? {}, shape, (request.caller as Caller).slug));
  }

  private async requestApi(
    { headers, ip }: FastifyRequest,
    tool: Tool,
    values: Values,
    key: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const { method, path, query, body } = tool.request(values);
    const idempotencyKey = key ?? headers['idempotency-key'];
    const response = await asSelfRequest(() =>
      this.app
        .getHttpAdapter()
        .getInstance()
        .inject({
          method,
          url: `${API}${path}`,
          query: queryOf(query ?? {}),
          remoteAddress: ip,
          headers: {
            authorization: headers.authorization ?? '',
            'accept-language': headers['accept-language'] ?? '',
            'user-agent': headers['user-agent'] ?? '',
            ...(tool.writes && idempotencyKey !== undefined ? { 'idempotency-key': textOf(idempotencyKey) } : {}),
          },
          ...(body ? { payload: body } : {}),
        }),
    );
    return { status: response.statusCode, body: response.payload === '' ? null : response.json() };
  }

  private get descriptions(): ReadonlyMap<string, ListedTool> {
    this.toolDescriptions ??= new Map(TOOLS.map((tool) => [tool.name, toListedTool(tool, this.today.document)]));
    return this.toolDescriptions;
  }
}

function toListedTool(tool: Tool, document: OpenAPIObject): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.description} ${TEXTS_ARE_DATA}`,
    inputSchema: inputSchema(tool, document),
    annotations: {
      readOnlyHint: !tool.writes,
      destructiveHint: tool.writes === 'destructive',
      idempotentHint: !tool.writes || tool.idempotent === true,
      openWorldHint: true,
    },
  };
}

/**
 * Whether the client can ask the person for confirmation. Asking is possible only with protocol 2026-07-28, because
 * earlier versions would need a session to ask.
 */
function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, { elicitation?: unknown } | undefined> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation !== undefined;
}

/**
 * If the person has not been asked yet, returns the question for the person. If the person has confirmed the call,
 * returns null. If the person has refused the call, returns the error envelope.
 */
function questionOrDenial(
  tool: Tool,
  values: Values,
  request: FastifyRequest,
  { mcpReq }: ServerContext,
): { readonly denied: ErrorBody } | InputRequiredResult | null {
  const locale = localeOf(request);
  const answer = inputResponse(mcpReq.inputResponses, CONFIRM);
  if (answer.kind !== 'elicit')
    return inputRequired({
      inputRequests: {
        [CONFIRM]: inputRequired.elicit({
          message: QUESTIONS[locale](tool.name, JSON.stringify(values)),
          requestedSchema: { type: 'object', properties: {} },
        }),
      },
    });
  if (answer.action === 'accept') return null;
  return { denied: { code: 'forbidden', message: NOT_CONFIRMED[locale] } };
}

/**
 * Checks the fields that the API cannot check:
 *
 * - The tool's own fields, such as `action`. The API does not know them, because they only select the operation that is
 *   called.
 * - Required fields that become parts of the path. Without them the path is incomplete, and the response would be 404.
 */
function refusalOfValues({ own = {}, required = [] }: Tool, values: Values): Refusal | null {
  for (const [name, { enum: choices }] of Object.entries(own))
    if (choices && !choices.some((choice) => choice === values[name]))
      return Refusal.invalid(name, 'one_of', { values: choices.join(', ') });
  const isAbsent = (name: string) => (values[name] ?? null) === null;
  // A call for comments has the `id` of an event or the `slug` of a post.
  if ('id' in own && isAbsent('id') && isAbsent('slug')) return Refusal.invalid('id', 'required');
  const missing = PATH_FIELDS.find((name) => required.includes(name) && isAbsent(name));
  return missing === undefined ? null : Refusal.invalid(missing, 'required');
}

/**
 * The names of the tools that a body calls. The result is empty if the body is not JSON; the MCP library reports that
 * error later.
 */
function calledTools(body: string | undefined): string[] {
  let read: unknown;
  try {
    read = JSON.parse(body ?? 'null');
  } catch {
    return [];
  }
  return [read]
    .flat()
    .map((one) => one as { method?: unknown; params?: { name?: unknown } } | null)
    .filter((one) => one?.method === 'tools/call')
    .map((one) => one?.params?.name)
    .filter((name) => typeof name === 'string');
}

/** Converts the values to texts. A field that is null counts as absent. */
function queryOf(values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === 'boolean' ? String(Number(value)) : textOf(value)]),
  );
}
