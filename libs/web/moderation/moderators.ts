import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { SignedIn, type Member } from '../account/signed-in';
import { isModerator } from './moderator';

/** Pages that only moderators and admins have; for everybody else who is signed in there is no such page. */
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
