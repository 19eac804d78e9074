declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The account that sends the request. `Admission` (the checks before the handler) sets it. These are the fields
     * that the platform needs; the full type is `Caller` in the area `identity`.
     */
    caller: { readonly id: number; readonly locale: string } | null;
  }
}

export {};
