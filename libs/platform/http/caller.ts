declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, once admission has found out; identity's `Caller` in full. The platform needs the language only. */
    caller: { readonly id: number; readonly locale: string } | null;
  }
}

export {};
