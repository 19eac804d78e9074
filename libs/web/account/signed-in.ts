import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import type { WebSession } from '#areas/identity/web-sessions';
import { localPath } from '../local-path';
import { Pages } from '../pages';
import type { Reader } from '../readers';

/** A reader with an account. */
export type Member = Reader & { readonly user: User; readonly session: WebSession };

type MemberPage = (member: Member, reply: FastifyReply, request: FastifyRequest) => Promise<FastifyReply>;

/** Pages for signed-in people; others are asked to sign in, and return to the requested page. */
@Injectable()
export class SignedIn {
  constructor(private readonly pages: Pages) {}

  only(page: MemberPage): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
    return async (request, reply) => {
      const reader = await this.pages.reader(request);
      const { user, session } = reader;
      if (user && session) return page({ ...reader, user, session }, reply, request);
      const here = request.method === 'GET' ? localPath(request.url) : null;
      const wanted = here === null ? '' : `?next=${encodeURIComponent(here)}`;
      return this.pages.goTo(reply, `/sign-in${wanted}`);
    };
  }
}
