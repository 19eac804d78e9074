declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The caller, which admission sets. The platform needs only the language. The full type is `Caller` in the area
     * identity.
     */
    caller: { readonly id: number; readonly locale: string } | null;
  }
}

export {};
