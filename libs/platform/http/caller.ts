declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The caller, set by admission. The platform needs only the language; the full type is `Caller` of the area
     * identity.
     */
    caller: { readonly id: number; readonly locale: string } | null;
  }
}

export {};
