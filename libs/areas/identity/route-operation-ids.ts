import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyInstance } from 'fastify';
import { SCOPE_OF_OPERATION, type OperationId } from '#contract/scopes';
import { isApiPath } from '#platform/http/paths';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of the route's operation, which is the name of the controller's method. */
    operation?: OperationId;
  }
}

/** Assigns to each route of the API the id of its operation. The operation determines the scope that a token needs. */
@Injectable()
export class RouteOperationIds {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /**
   * Writes the id of each route's operation into the configuration of the route. Call this method before Nest registers
   * the routes. Nest then fails to register an API route whose operation is not listed in libs/contract/scopes.ts.
   */
  assign(fastify: FastifyInstance): void {
    for (const { metatype } of this.discovery.getControllers()) {
      const methods = (metatype as { prototype: Record<string, object> }).prototype;
      for (const name of this.scanner.getAllMethodNames(methods)) {
        if (!Object.hasOwn(SCOPE_OF_OPERATION, name)) continue;
        const handler = methods[name] as object;
        const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
        RouteConfig({ ...config, operation: name })(methods, name, { value: handler });
      }
    }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (isApiPath(url) && config?.operation === undefined)
        throw new Error(`${[method].flat().join()} ${url} has no scope in libs/contract/scopes.ts`);
    });
  }
}
