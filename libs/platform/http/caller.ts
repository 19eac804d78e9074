declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The account that sends the request; null if there is none, or before `Admission` (the checks before the handler)
     * has set it. This type has only the fields that the platform needs; the full type is `Caller` in the area
     * `identity`.
     */
    caller: { readonly id: number; readonly locale: string } | null;
  }
}

export {};
