import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { SignedIn, type Member } from '../account/signed-in';
import { isModerator } from './moderator';

/** Pages for moderators and admins; for other signed-in people they are 404. */
@Injectable()
export class Moderators {
  constructor(private readonly signedIn: SignedIn) {}

  only(
    page: (member: Member, reply: FastifyReply, request: FastifyRequest) => Promise<FastifyReply>,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
    return this.signedIn.only((member, reply, request) => {
      if (!isModerator(member.user)) throw new Refusal('not_found');
      return page(member, reply, request);
    });
  }
}
