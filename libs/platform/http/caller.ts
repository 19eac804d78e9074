declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, set by admission; identity's `Caller` is the full type. The platform needs the language only. */
    caller: { readonly id: number; readonly locale: string } | null;
  }
}

export {};
